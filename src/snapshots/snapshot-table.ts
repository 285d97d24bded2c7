import type { Queryable } from '../database/queryable.js';
import { fragment, sql } from '../database/sql.js';
import { removeOutdated } from '../database/housekeeping.js';

/** The state of an aggregate after an event of its stream. */
export interface KeptSnapshot {
  /** The version of the form in which the state is stored. */
  readonly version: number;
  readonly revision: number;
  /** The id of the event at that revision, because another log, or a restored one, has another event there. */
  readonly eventId: string;
  /** The state as JSON. */
  readonly state: string;
}

/** Stores the newest snapshot of each stream. It is a cache: without it everything works the same, but slower. */
export class SnapshotTable {
  constructor(private readonly db: Queryable) {}

  /** Returns the newest snapshot of a stream; undefined if there is none. Notes the day of its use. */
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

  /** Stores a snapshot unless a later one exists. */
  async keep(stream: string, { version, revision, eventId, state }: KeptSnapshot): Promise<void> {
    await this.db.rows(sql`
      insert into cache.snapshots as kept (stream, version, revision, event_id, state)
      values (${stream}, ${version}, ${revision}, ${eventId}, ${state})
      on conflict (stream) do update set version = excluded.version, revision = excluded.revision,
        event_id = excluded.event_id, state = excluded.state, used_on = excluded.used_on
      where (kept.version, kept.revision) < (excluded.version, excluded.revision)`);
  }

  /** Drops snapshots that were not used for a month. Resolves with their number, a few thousand at most. */
  removeUnused(): Promise<number> {
    return removeOutdated(this.db, {
      table: fragment`cache.snapshots`,
      key: fragment`stream`,
      when: fragment`used_on < current_date - 30`,
    });
  }

  /** Deletes the snapshot of a stream; does nothing if there is none. */
  async drop(stream: string): Promise<void> {
    await this.db.rows(sql`delete from cache.snapshots where stream = ${stream}`);
  }
}
