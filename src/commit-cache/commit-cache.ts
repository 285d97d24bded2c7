import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';

/** Larger ones are read from git each time; nobody means them to be listed. */
const MAX_FACTS_BYTES = 262_144;

/**
 * What commits say of themselves, by hash, so that lists of branches (which join the table) need no git. Filled where
 * refs move, and by whoever had to ask git. A hash tells nothing of who may see it: ask only for commits of a
 * repository that the caller may read.
 */
export class CommitCache {
  constructor(private readonly db: Queryable) {}

  /** Those that are kept. */
  async find(hashes: readonly Hash[]): Promise<Map<Hash, CommitFacts>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.db.rows<{ facts: CommitFacts }>(
      sql`select facts from cache.commits where hash = any(${hashes.map(bytesOf)}::bytea[])`,
    );
    return new Map(rows.map(({ facts }) => [facts.hash, facts]));
  }

  /** What a crash takes back is read from git again: the disk is not waited for. */
  async keep(commits: readonly CommitFacts[]): Promise<void> {
    const rows = commits
      .map((facts) => ({ hash: bytesOf(facts.hash), facts: JSON.stringify(facts, withoutNul) }))
      .filter(({ facts }) => facts.length <= MAX_FACTS_BYTES);
    if (rows.length === 0) return;
    await this.db.rows(sql`
      with at_leisure as materialized (select set_config('synchronous_commit', 'off', true))
      insert into cache.commits (hash, facts)
      select kept.* from at_leisure,
        unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ facts }) => facts)}::jsonb[]) as kept
      on conflict do nothing`);
  }
}

const bytesOf = (hash: Hash) => Buffer.from(hash, 'hex');

/** PostgreSQL's JSON holds every character but this one. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
