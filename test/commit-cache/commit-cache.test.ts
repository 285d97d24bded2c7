import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { changesOf } from '../../src/commit-cache/changes-of.js';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import { commitsOf, commitsOfRows } from '../../src/commit-cache/commits-of.js';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import type { CommitFacts } from '../../src/git/port/objects.js';
import { migrate } from '../../src/migrate/migrate.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

const somebody = { name: 'Ann', email: 'ann@example.org', at: '2026-01-01T00:00:00Z' };

const commit = (hash: string, message: string): CommitFacts => ({
  hash: hash.repeat(40),
  tree: 'f'.repeat(40),
  parents: [],
  author: somebody,
  committer: somebody,
  message,
});

describe('what is kept of commits', () => {
  let database: TestDatabase;
  let db: Database;
  let cache: CommitCache;

  beforeEach(async () => {
    database = await testDatabase();
    await migrate(database.url, ['cache']);
    db = new Database({ url: database.url, applicationName: 'test' });
    cache = new CommitCache(db);
  });
  afterEach(async () => {
    await db.close();
    await database.drop();
  });

  it('is what they say, to the letter, but for the one character that PostgreSQL has not', async () => {
    const told = commit('a', String.raw`JSON writes NUL as \u0000, and a backslash before it as \\u0000`);
    await cache.keep(1, [told, commit('b', 'a\0b')]);
    const found = await cache.find([told.hash, 'b'.repeat(40)]);
    expect(found.get(told.hash)).to.deep.equal(told);
    expect(found.get('b'.repeat(40))?.message).to.equal('a\ufffdb');
  });

  it('is nothing so long that a thousand of it would fill the memory', async () => {
    const [ordinary, long] = [commit('a', 'a'.repeat(30_000)), commit('b', 'b'.repeat(40_000))];
    await cache.keep(1, [ordinary, long]);
    expect(await cache.find([ordinary.hash, long.hash])).to.have.all.keys(ordinary.hash);
  });

  it('is kept by several processes at once, in whatever order each has it', async () => {
    const commits = ['a', 'b', 'c'].map((hash) => commit(hash, `of ${hash}`));
    const process = (applicationName: string) => new Database({ url: database.url, applicationName });
    const [one, other] = [process('one'), process('other')];
    const waiting = async (count: number) => {
      while ((await db.rows('select from pg_locks where not granted')).length < count) await setImmediate();
    };
    const kept: Promise<void>[] = [];
    await db.transaction(async (held) => {
      await new CommitCache(held).keep(1, commits.slice(1, 2));
      kept.push(new CommitCache(one).keep(1, commits));
      await waiting(1);
      kept.push(new CommitCache(other).keep(1, [...commits.slice(2), ...commits.slice(0, 1)]));
      await waiting(2);
    });
    await Promise.all(kept);
    expect((await cache.find(commits.map(({ hash }) => hash))).size).to.equal(3);
    await Promise.all([one.close(), other.close()]);
  });

  it('is dropped where nobody has asked for it in a month, and read anew', async () => {
    const commits = ['a', 'b', 'c'].map((hash) => commit(hash, `message of ${hash}`));
    const [first = '', second = '', third = ''] = commits.map(({ hash }) => hash);
    await cache.keep(1, commits);
    const left = async () => (await db.rows('select from cache.commits')).length;
    const days = (count: number) => db.rows(`update cache.commits set used_on = used_on - ${count}`);
    await days(30);
    expect([await cache.removeUnused(), await left()]).to.deep.equal([0, 3]);
    expect(await cache.find([first])).to.have.keys([first]);
    const asked: string[] = [];
    const git = {
      commits: (_: number, hashes: readonly string[]) => {
        asked.push(...hashes);
        return Promise.resolve(commits.filter(({ hash }) => hashes.includes(hash)));
      },
    };
    const sources = { git, commitCache: cache };
    const rows = [first, second].map((hash) => ({ hash, facts: null }));
    expect([...(await commitsOfRows(sources, 1, rows)).values()]).to.have.deep.members(commits.slice(0, 2));
    expect(asked, 'the cache has both').to.deep.equal([]);
    await days(1);
    expect([await cache.removeUnused(), await left()]).to.deep.equal([1, 2]);
    expect([...(await commitsOf(sources, 1, [first, third])).values()]).to.have.deep.members([
      commits[0],
      commits[2],
    ]);
    expect([asked, await left()]).to.deep.equal([[third], 3]);
  });

  it('is dropped where its repository is gone, if somebody asks for that', async () => {
    await db.rows(`
      create table accounts as select 7 as id, 9223372036854775807 as valid_until union select 8, 1;
      create table repositories as select 1 as id, 7 as owner_id union select 3, 8`);
    await cache.keep(1, [commit('a', 'of a living one')]);
    await cache.keep(2, [commit('a', 'of both'), commit('b', 'of one that is gone')]);
    await cache.keep(3, [commit('c', 'of one whose owner is gone')]);
    await db.rows(`
      insert into cache.commits (hash, facts, repository_id)
      select decode(lpad(to_hex(n), 40, '0'), 'hex'), '{}', case when n % 5 = 0 then 1 else 2 end
      from generate_series(1, 2500) n`);
    let statements = 0;
    const counting: Queryable = {
      rows: (statement) => {
        statements += 1;
        return db.rows(statement);
      },
    };
    await new CommitCache(counting).removeOrphans(new AbortController().signal);
    expect(await cache.find(['a', 'b', 'c'].map((hash) => hash.repeat(40)))).to.have.keys(['a'.repeat(40)]);
    expect(await db.rows('select from cache.commits')).to.have.length(501);
    expect(statements, 'all in one would take too long').to.be.greaterThan(2);
  });

  it('takes no more memory where paths are long', async () => {
    const path = 'p'.repeat(4_000);
    const files = Array.from({ length: 3_000 }, () => ({
      path,
      status: 'added' as const,
      additions: 1,
      deletions: 0,
    }));
    const asked: string[] = [];
    const git = {
      changedFiles: (_: number, hashes: readonly string[]) => {
        asked.push(...hashes.map((hash) => hash[0] ?? ''));
        const changes = { files, total: files.length, additions: 1, deletions: 0 };
        return Promise.resolve(new Map(hashes.map((hash) => [hash, changes])));
      },
    };
    for (const hash of ['c', 'c', 'd', 'c']) await changesOf(git, 1, [hash.repeat(40)]);
    expect(asked).to.deep.equal(['c', 'd', 'c']);
  });
});
