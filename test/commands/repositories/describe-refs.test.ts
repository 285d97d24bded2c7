import { expect } from 'chai';
import { Map as ImmutableMap } from 'immutable';
import type { CommitCache } from '../../../src/commit-cache/commit-cache.js';
import { describeRefs } from '../../../src/commands/repositories/describe-refs.js';
import { Repository } from '../../../src/domain/repositories/repository.js';
import type { CommitFacts } from '../../../src/git/port/objects.js';
import { commitFiles, realHash, repositories, type Repositories } from '../../git/repositories.js';

describe('describing refs', () => {
  let at: Repositories;
  beforeEach(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
  });
  afterEach(() => at.remove());

  it('asks git for all annotated tags together, and keeps the commits that they lead to', async () => {
    const commit = await commitFiles(at.git, 1, { a: '1' });
    const path = at.git.pathOf(1);
    const tagger = 'tagger A <a@example.org> 981173106 +0000';
    const tag = (name: string, object: string, type: string, by = `${tagger}\n`) =>
      realHash(path, ['mktag'], `object ${object}\ntype ${type}\ntag ${name}\n${by}\nof weight\n`);
    const first = await tag('t', commit, 'commit');
    let nested = first;
    for (let depth = 0; depth < 9; depth++) nested = await tag('n', nested, 'tag');
    const blob = await realHash(path, ['rev-parse', `${commit}:a`]);
    const many = await Promise.all([...Array(40).keys()].map((index) => tag(`t${index}`, commit, 'commit')));
    const hashes = [commit, first, nested, await tag('b', blob, 'blob'), blob, ...many];

    const asked = new Map<string, number>();
    const git = new Proxy(at.git, {
      get(target, name: 'tagObjects') {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return target[name].bind(target);
      },
    });
    const kept: CommitFacts[] = [];
    const commitCache = {
      find: () => Promise.resolve(new Map()),
      keep: (_: number, commits: CommitFacts[]) => Promise.resolve(void kept.push(...commits)),
    } as unknown as CommitCache;
    const changes = hashes.map((after, index) => ({ ref: `refs/tags/t${index}`, before: null, after }));
    const updates = await describeRefs({ git, commitCache }, 1, Repository.initialState, changes);

    const taggedAt = '2001-02-03T04:05:06Z';
    expect(updates.map(({ committedAt }) => committedAt)).to.deep.equal([
      (await at.git.commit(1, commit))?.committer.at,
      ...[taggedAt, taggedAt, null, null],
      ...many.map(() => taggedAt),
    ]);
    expect(updates.map((update) => update.commit)).to.deep.equal([
      ...[commit, commit, commit],
      ...[undefined, undefined],
      ...many.map(() => commit),
    ]);
    expect([...asked]).to.deep.equal([
      ['commits', 2],
      ['tagObjects', 1],
      ['peel', 1],
    ]);
    expect(new Set(kept.map(({ hash }) => hash))).to.deep.equal(new Set([commit]));
  });

  it('tells that a new branch gained what the default branch does not have, whatever that is called', async () => {
    const one = await commitFiles(at.git, 1, { a: '1' });
    const two = await commitFiles(at.git, 1, { a: '2' }, { parents: [one] });
    const three = await commitFiles(at.git, 1, { a: '3' }, { parents: [two] });
    const commitCache = { find: () => Promise.resolve(new Map()), keep: () => Promise.resolve() };
    const services = { git: at.git, commitCache: commitCache as unknown as CommitCache };
    const change = { ref: 'refs/heads/new', before: null, after: three };
    const gained = async (defaultBranch: string) => {
      const refs = ImmutableMap({ 'refs/heads/trunk': two, 'refs/heads/main': one });
      const state = { refs, settings: { ...Repository.initialState.settings, defaultBranch } };
      const [update] = await describeRefs(services, 1, state, [change]);
      return update?.commits;
    };
    expect(await gained('trunk')).to.deep.equal([three]);
    expect(await gained('main')).to.deep.equal([three, two]);
    expect(await gained('gone')).to.deep.equal([three, two, one]);
  });
});
