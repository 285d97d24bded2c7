import type { Queryable } from '../database/database.js';
import { fragment, sql } from '../database/sql.js';
import { removeOutdated } from '../housekeeping.js';

/** The state of an aggregate after an event of its stream. */
export interface KeptSnapshot {
  /** Of the state's form. */
  readonly version: number;
  readonly revision: number;
  /** Of the event at that revision: another log, or one that was restored, has another event there. */
  readonly eventId: string;
  /** As JSON. */
  readonly state: string;
}

/** One snapshot a stream, the newest; a cache: without any of it everything is the same, and slower. */
export class SnapshotTable {
  constructor(private readonly db: Queryable) {}

  async find(stream: string): Promise<KeptSnapshot | undefined> {
    const [row] = await this.db.rows<KeptSnapshot & { unnoted: boolean }>(sql`
      select version, revision, event_id as "eventId", state::text, used_on < current_date as unnoted
      from cache.snapshots where stream = ${stream}`);
    if (!row) return undefined;
    const { unnoted, ...kept } = row;
    if (unnoted)
      await this.db.rows(sql`update cache.snapshots set used_on = current_date where stream = ${stream}`);
    return kept;
  }

  /** Keeps it unless a later one is there. */
  async keep(stream: string, { version, revision, eventId, state }: KeptSnapshot): Promise<void> {
    await this.db.rows(sql`
      insert into cache.snapshots as kept (stream, version, revision, event_id, state)
      values (${stream}, ${version}, ${revision}, ${eventId}, ${state})
      on conflict (stream) do update set version = excluded.version, revision = excluded.revision,
        event_id = excluded.event_id, state = excluded.state, used_on = excluded.used_on
      where (kept.version, kept.revision) < (excluded.version, excluded.revision)`);
  }

  /** Drops what nobody has asked for in a month; answers with how many, a few thousand at most. */
  removeUnused(): Promise<number> {
    return removeOutdated(this.db, {
      table: fragment`cache.snapshots`,
      key: fragment`stream`,
      when: fragment`used_on < current_date - 30`,
    });
  }

  async drop(stream: string): Promise<void> {
    await this.db.rows(sql`delete from cache.snapshots where stream = ${stream}`);
  }
}
