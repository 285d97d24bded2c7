import { GitLimitExceeded } from '../../git/port/errors.js';
import type { PayloadServices } from './services.js';

type Git = PayloadServices['git'];

/** How long git may work for the payloads of one event. All later events wait meanwhile. */
const PATIENCE_MS = 20_000;

/**
 * Limits how long git may take in all for what a push can make costly: comparing and counting commits. What it has not
 * told by then is refused with `GitLimitExceeded`.
 */
export function withPatience(git: Git, patienceMs = PATIENCE_MS): Git {
  let leftMs = patienceMs;
  const within = async <T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const limit = new AbortController();
    const begun = performance.now();
    const timer = setTimeout(
      () => {
        limit.abort(new GitLimitExceeded('time', 'git takes too long for the payloads of one event'));
      },
      Math.max(leftMs, 0),
    );
    try {
      return await ask(limit.signal);
    } finally {
      clearTimeout(timer);
      leftMs -= performance.now() - begun;
    }
  };
  return {
    ...git,
    changedFiles: (id, hashes) => within((signal) => git.changedFiles(id, hashes, signal)),
    newCommits: (id, before, after, most) =>
      within((signal) => git.newCommits(id, before, after, most, signal)),
  };
}
