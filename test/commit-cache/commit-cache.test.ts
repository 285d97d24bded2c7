import { expect } from 'chai';
import { changesOf } from '../../src/commit-cache/changes-of.js';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import { Database } from '../../src/database/database.js';
import type { CommitFacts } from '../../src/git/port/objects.js';
import { migrate } from '../../src/migrate/migrate.js';
import { testDatabase } from '../support/postgres.js';

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
  it('is what they say, to the letter, but for the one character that PostgreSQL has not', async () => {
    const database = await testDatabase();
    await migrate(database.url, ['cache']);
    const db = new Database({ url: database.url, applicationName: 'test' });
    try {
      const cache = new CommitCache(db);
      const told = commit('a', String.raw`JSON writes NUL as \u0000, and a backslash before it as \\u0000`);
      await cache.keep([told, commit('b', 'a\0b')]);
      const found = await cache.find([told.hash, 'b'.repeat(40)]);
      expect(found.get(told.hash)).to.deep.equal(told);
      expect(found.get('b'.repeat(40))?.message).to.equal('a\ufffdb');
    } finally {
      await db.close();
      await database.drop();
    }
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
      changedFiles: (_: number, hash: string) => {
        asked.push(hash[0] ?? '');
        return Promise.resolve({ files, total: files.length, additions: 1, deletions: 0 });
      },
    };
    for (const hash of ['c', 'c', 'd', 'c']) await changesOf(git, 1, [hash.repeat(40)]);
    expect(asked).to.deep.equal(['c', 'd', 'c']);
  });
});
