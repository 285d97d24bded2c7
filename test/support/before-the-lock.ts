import { RepositoryLocks } from '../../src/commands/repositories/repository-locks.js';

const original = Object.getOwnPropertyDescriptor(RepositoryLocks.prototype, 'run');
const run = original?.value as RepositoryLocks['run'];
let before: (() => Promise<void>) | undefined;
RepositoryLocks.prototype.run = async function <T>(repositoryId: number, work: () => Promise<T>): Promise<T> {
  if (before) await before();
  return run.call(this, repositoryId, work) as Promise<T>;
};

/**
 * Sends a request, and does `work` right before it asks for the lock of a repository, for the `nth` time, in any api of
 * this process.
 */
export async function beforeTheLock<T>(
  work: () => Promise<unknown>,
  request: () => Promise<T>,
  nth = 1,
): Promise<T> {
  let times = 0;
  before = async () => {
    times += 1;
    if (times === nth) await work();
  };
  try {
    const answer = await request();
    if (times < nth) throw new Error(`a lock was asked for ${times} times`);
    return answer;
  } finally {
    before = undefined;
  }
}

/** Sends a request, and does `work` whenever it asks for the lock of a repository, right before that. */
export async function beforeEveryLock<T>(
  work: () => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  let isWorking = false;
  before = async () => {
    if (isWorking) return; // it asks for locks as well
    isWorking = true;
    await work();
    isWorking = false;
  };
  try {
    return await request();
  } finally {
    before = undefined;
  }
}
