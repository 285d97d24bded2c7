import { expect } from 'chai';
import { GitLimitExceeded } from '../../src/git/port/errors.js';
import type { Changes } from '../../src/git/port/history.js';
import { withPatience } from '../../src/webhooks/payloads/patience.js';
import type { PayloadServices } from '../../src/webhooks/payloads/services.js';
import { rejection } from '../support/rejection.js';

describe('the patience with git', () => {
  /** Answers about commit `quick`, and is silent about others until it is stopped. */
  const changedFiles: PayloadServices['git']['changedFiles'] = (_id, hashes, signal) =>
    hashes.includes('quick')
      ? Promise.resolve(new Map<string, Changes>())
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
  const none = { hashes: [], count: 0 };
  const git = { changedFiles, newCommits: () => Promise.resolve(none) } as unknown as PayloadServices['git'];

  it('is of one event, and ends once its answers have taken too long in all', async () => {
    const patient = withPatience(git, 500);
    expect(await patient.changedFiles(1, ['quick'])).to.deep.equal(new Map());
    expect(await rejection(patient.changedFiles(1, ['slow']))).to.be.an.instanceOf(GitLimitExceeded);
    const begun = performance.now();
    for (let nth = 0; nth < 20; nth++) await rejection(patient.changedFiles(1, ['slow']));
    expect(performance.now() - begun).below(10_000); // as long as twenty such waits would take
    expect(await patient.newCommits(1, null, 'a', 5)).to.equal(none);
  });
});
