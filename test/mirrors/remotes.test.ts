import { expect } from 'chai';
import { mayPass } from '../../src/failures/may-pass.js';
import { remoteRefusal } from '../../src/git/copies/remote-refusal.js';
import type { RemotesOptions } from '../../src/mirrors/remotes.js';
import { Remotes } from '../../src/mirrors/remotes.js';
import { silent } from '../projections/engine/silent.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';

describe('what is read from remotes', () => {
  it('leaves places to others where the remotes of one account are slow, and gets back those of who gives up', async () => {
    const begun: number[] = [];
    const mirrorClone: RemotesOptions['git']['mirrorClone'] = (_url, repositoryId, { signal } = {}) => {
      begun.push(repositoryId);
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    const remotes = new Remotes({
      git: { mirrorClone, fetchMirror: () => Promise.reject(new Error('not here')) },
      rules: { allowLocalNetworks: true },
      limits: { timeoutMs: 600_000, maxBytes: 1n },
      logger: silent,
    });
    const givesUp = new AbortController();
    const clone = (repositoryId: number, accountId: number) =>
      rejection(
        remotes.clone({ url: 'http://localhost/' }, repositoryId, { accountId, signal: givesUp.signal }),
      );
    const slow = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((repositoryId) => clone(repositoryId, 1));
    await until(() => begun.length === 4);
    // What is pulled regularly, for four organizations of that account.
    const scheduled = [12, 13, 14, 15].map((organizationId) => clone(organizationId, organizationId));
    await until(() => begun.length === 8);
    const other = clone(10, 2);
    await until(() => begun.includes(10));
    expect(begun).to.have.length(9);
    givesUp.abort(new Error('enough'));
    await Promise.all([...slow, ...scheduled, other]);
    const again = rejection(remotes.clone({ url: 'http://localhost/' }, 11, { accountId: 1 }));
    await until(() => begun.includes(11));
    await remotes.close();
    await again;
  });

  it('are not blamed for a disk that is full here, which may pass', async () => {
    const remotes = new Remotes({
      git: {
        mirrorClone: () => Promise.reject(remoteRefusal(FULL)),
        fetchMirror: () => Promise.reject(remoteRefusal(FULL)),
      },
      rules: { allowLocalNetworks: true },
      limits: { timeoutMs: 600_000, maxBytes: 1n },
      logger: silent,
    });
    const from = { url: 'http://localhost/' };
    for (const read of [remotes.clone(from, 1, { accountId: 1 }), remotes.fetch(from, 1, { accountId: 1 })])
      expect(await rejection(read)).to.satisfy(mayPass);
    await remotes.close();
  });
});

const FULL = 'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output';
