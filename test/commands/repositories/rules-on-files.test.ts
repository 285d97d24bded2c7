import { expect } from 'chai';
import { refusalByFiles } from '../../../src/commands/repositories/rules-on-files.js';
import type { BranchProtection } from '../../../src/domain/repositories/branch-protection.js';

describe('the rules over files', () => {
  const facts = { enablePush: true, protectedFilePatterns: 'docs/**', unprotectedFilePatterns: '' };
  const rule = facts as BranchProtection;
  const pusher = { accountId: 1, teamIds: [], writes: true };

  /** Asks for these paths. Resolves with the refusal, and how many turns it took. */
  async function ask(...paths: readonly string[]) {
    let turns = 0;
    const asked = <T>(judge: () => T): Promise<T> => {
      turns += 1;
      return Promise.resolve(judge());
    };
    const refusal = await refusalByFiles({ rule, pusher, paths: () => Promise.resolve(paths), asked });
    return { refusal, turns };
  }

  it('are asked of many short paths in one turn, and of each long one in its own', async () => {
    const short = Array.from({ length: 100 }, (_, index) => `src/${index}`);
    const long = short.map((path) => path.padEnd(4_000, 'x'));
    expect((await ask(...short, 'docs/a')).turns).to.equal(1);
    expect((await ask('docs/a', ...long)).turns).to.equal(1);
    expect((await ask(...long, 'docs/a')).turns).to.equal(101);
  });

  it('refuse paths that are too long for them', async () => {
    expect((await ask('x'.repeat(4_097))).refusal).to.match(/too long/);
  });
});
