import { removeOutdated } from '../database/housekeeping.js';
import type { Queryable } from '../database/queryable.js';
import { fragment, sql } from '../database/sql.js';
import { still } from '../database/still.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';

/**
 * Longer commits are not cached but read from git each time, since no ordinary commit is so long. A thousand may be looked
 * up together, and are then held in memory.
 */
const MAX_FACTS_LENGTH = 32_768;

/** How many commits one statement examines: all at once could take longer than a connection may be silent. */
const PART = 1_000;
const BEFORE_ALL = Buffer.alloc(0);

/**
 * A cache of the facts of commits, by hash, so that lists of branches (which join its table) need no git. It is filled
 * when refs move, and whenever git had to be asked; entries that are not used are dropped. A hash does not tell who may
 * see the commit: look up only commits of a repository that the caller may read.
 */
export class CommitCache {
  constructor(private readonly db: Queryable) {}

  /** Returns the cached ones among these commits, and records that they were used today. */
  async find(hashes: readonly Hash[]): Promise<Map<Hash, CommitFacts>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.db.rows<{ facts: CommitFacts; unnoted: boolean }>(sql`
      select facts, used_on < current_date as unnoted from cache.commits
      where hash = any(${hashes.map(bytesOf)}::bytea[])`);
    const unnoted = rows.filter((row) => row.unnoted);
    if (unnoted.length > 0) await this.#note(unnoted.map(({ facts }) => facts.hash));
    return new Map(rows.map(({ facts }) => [facts.hash, facts]));
  }

  /** Caches commits of a repository, without waiting for the disk: what a crash loses is read from git again. */
  async keep(repositoryId: number, commits: readonly CommitFacts[]): Promise<void> {
    const rows = commits
      .map((facts) => ({ hash: bytesOf(facts.hash), facts: JSON.stringify(facts, withoutNul) }))
      .filter(({ facts }) => facts.length <= MAX_FACTS_LENGTH)
      .sort((one, other) => one.hash.compare(other.hash)); // in one order, so that processes cannot deadlock
    if (rows.length === 0) return;
    await this.db.rows(sql`
      with at_leisure as materialized (select set_config('synchronous_commit', 'off', true))
      insert into cache.commits (repository_id, hash, facts)
      select ${repositoryId}, kept.* from at_leisure,
        unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ facts }) => facts)}::jsonb[]) as kept
      on conflict do nothing`);
  }

  /** Drops entries that were not used for a month. Resolves with their number, a few thousand at most. */
  removeUnused(): Promise<number> {
    return removeOutdated(this.db, {
      table: fragment`cache.commits`,
      key: fragment`hash`,
      when: fragment`used_on < current_date - 30`,
    });
  }

  /** Drops the entries of repositories that no longer exist, or whose owner does not. When aborted, leaves some of them. */
  async removeOrphans(signal: AbortSignal): Promise<void> {
    for (let after: Buffer | null = BEFORE_ALL; after !== null && !signal.aborted;)
      after = await this.#removeOrphansIn(after);
  }

  /** Does so for the next entries in the order of hashes. Returns the last one that it examined; null if there was none. */
  async #removeOrphansIn(after: Buffer): Promise<Buffer | null> {
    const [row] = await this.db.rows<{ last: Buffer | null }>(sql`
      with part as (
        select hash, repository_id from cache.commits where hash > ${after} order by hash limit ${PART}
      ), removed as (
        delete from cache.commits c using part p
        where c.hash = p.hash and not exists (
          select from repositories r join accounts a on a.id = r.owner_id
          where r.id = p.repository_id and a.valid_until = ${still})
      )
      select (select hash from part order by hash desc limit 1) as last`);
    return row?.last ?? null;
  }

  /** Records the use of these entries, skipping those that another process is recording. */
  async #note(hashes: readonly Hash[]): Promise<void> {
    await this.db.rows(sql`
      with at_leisure as materialized (select set_config('synchronous_commit', 'off', true))
      update cache.commits set used_on = current_date from at_leisure
      where hash = any(array(
        select hash from cache.commits where hash = any(${hashes.map(bytesOf)}::bytea[])
        for update skip locked))`);
  }
}

const bytesOf = (hash: Hash) => Buffer.from(hash, 'hex');

/** PostgreSQL's JSON holds every character but this one. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
