import { expect } from 'chai';
import { askingRules, refusalByFiles } from '../../../src/commands/repositories/rules-on-files.js';
import type { BranchProtection } from '../../../src/domain/repositories/branch-protection.js';
import { refusal } from '../../git/repositories.js';

const pusher = { accountId: 1, teamIds: [], writes: true };
const rule = {
  enablePush: true,
  enablePushWhitelist: false,
  protectedFilePatterns: 'locked',
  unprotectedFilePatterns: '',
} as unknown as BranchProtection;

describe('the rules on the files of a branch', () => {
  it('refuse at the first path that is protected, and ask for few more', async () => {
    let asked = 0;
    function* paths() {
      for (yield 'locked'; ; asked += 1) yield `free/${asked}`;
    }
    const judged = refusalByFiles({ rule, pusher, paths: () => Promise.resolve(paths()) });
    expect(await judged).to.equal('the branch is protected from changes to locked');
    expect(asked).to.be.below(10_000);
  });

  it('are asked of many short paths in one turn, and of each long one in its own', async () => {
    const turnsFor = async (...paths: readonly string[]) => {
      let turns = 0;
      const counted = <T>(judge: () => T): Promise<T> => {
        turns += 1;
        return Promise.resolve(judge());
      };
      await refusalByFiles({ rule, pusher, paths: () => Promise.resolve(paths), asked: counted });
      return turns;
    };
    const short = Array.from({ length: 100 }, (_, index) => `free/${index}`);
    const long = short.map((path) => path.padEnd(4_000, 'x'));
    expect(await turnsFor(...short, 'locked')).to.equal(1);
    expect(await turnsFor('locked', ...long)).to.equal(1);
    expect(await turnsFor(...long, 'locked')).to.equal(101);
  });

  it('refuse a path that is too long to be read, wherever it is', async () => {
    const judged = (...paths: string[]) =>
      refusalByFiles({ rule, pusher, paths: () => Promise.resolve(paths) });
    const long = 'a'.repeat(4_097);
    expect(await judged('free', 'b'.repeat(4_096))).to.equal(undefined);
    expect(await judged('free', long)).to.equal('the path of a file is too long for its rules');
    expect(await judged(...Array<string>(10_000).fill('free'), long)).to.contain('too long');
  });

  it('refuse a pusher whose only right is in files that change where none do', async () => {
    const closed = { ...rule, enablePush: false, unprotectedFilePatterns: '*' };
    const judged = (...paths: string[]) =>
      refusalByFiles({ rule: closed, pusher, paths: () => Promise.resolve(paths) });
    expect(await judged('free')).to.equal(undefined);
    expect(await judged()).to.equal('the branch is protected from pushes');
  });

  it('are asked no longer once nobody hears the answer', async () => {
    const over = new AbortController();
    const asked = askingRules(over.signal);
    function* paths() {
      for (let told = 0; ; told += 1) {
        yield 'free';
        if (told === 10_000) over.abort(new Error('over'));
      }
    }
    const judged = refusalByFiles({ rule, pusher, paths: () => Promise.resolve(paths()), asked });
    expect(await refusal(judged)).to.include({ message: 'over' });
  });
});
