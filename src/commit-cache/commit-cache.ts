import type { Queryable } from '../database/database.js';
import { fragment, sql } from '../database/sql.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';
import { removeOutdated } from '../housekeeping.js';

/** Larger ones are read from git each time; nobody means them to be listed. */
const MAX_FACTS_BYTES = 262_144;

/**
 * What commits say of themselves, by hash, so that lists of branches (which join the table) need no git. Filled where
 * refs move, and by whoever had to ask git; what nobody asks for is dropped. A hash tells nothing of who may see it: ask
 * only for commits of a repository that the caller may read.
 */
export class CommitCache {
  constructor(private readonly db: Queryable) {}

  /** Those that are kept; that they were asked for today is noted. */
  async find(hashes: readonly Hash[]): Promise<Map<Hash, CommitFacts>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.db.rows<{ facts: CommitFacts; unnoted: boolean }>(sql`
      select facts, used_on < current_date as unnoted from cache.commits
      where hash = any(${hashes.map(bytesOf)}::bytea[])`);
    const unnoted = rows.filter((row) => row.unnoted);
    if (unnoted.length > 0) await this.#note(unnoted.map(({ facts }) => facts.hash));
    return new Map(rows.map(({ facts }) => [facts.hash, facts]));
  }

  /** Keeps commits of a repository. What a crash takes back is read from git again: the disk is not waited for. */
  async keep(repositoryId: number, commits: readonly CommitFacts[]): Promise<void> {
    const rows = commits
      .map((facts) => ({ hash: bytesOf(facts.hash), facts: JSON.stringify(facts, withoutNul) }))
      .filter(({ facts }) => facts.length <= MAX_FACTS_BYTES)
      .sort((one, other) => one.hash.compare(other.hash)); // in one order, or processes would wait for each other
    if (rows.length === 0) return;
    await this.db.rows(sql`
      with at_leisure as materialized (select set_config('synchronous_commit', 'off', true))
      insert into cache.commits (repository_id, hash, facts)
      select ${repositoryId}, kept.* from at_leisure,
        unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ facts }) => facts)}::jsonb[]) as kept
      on conflict do nothing`);
  }

  /** Drops what nobody has asked for in a month; answers with how many, a few thousand at most. */
  removeUnused(): Promise<number> {
    return removeOutdated(this.db, {
      table: fragment`cache.commits`,
      key: fragment`hash`,
      when: fragment`used_on < current_date - 30`,
    });
  }

  /** Drops what was kept for repositories that are gone, themselves or with whoever owned them. */
  async removeOrphans(): Promise<void> {
    await this.db.rows(sql`
      delete from cache.commits c
      where not exists (
        select from repositories r join accounts a on a.id = r.owner_id
        where r.id = c.repository_id and a.valid_until = 9223372036854775807)`);
  }

  /** Leaves out those that somebody else notes at the moment. */
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
