import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A lock on a file, held by every process that has `fd` open; the system frees it when the last of them is gone. */
export interface FileLock {
  readonly fd: number;
  release(): void;
}

/** Takes the lock of `path`, which is created where it is missing; undefined when another process has it. */
export function tryLock(path: string): FileLock | undefined {
  const fd = openSync(path, 'a', 0o600);
  let locked = false;
  try {
    locked = tryLockOpen(fd);
  } finally {
    if (!locked) closeSync(fd);
  }
  return locked ? { fd, release: () => closeSync(fd) } : undefined;
}

/** What flock(1) answers where another has the lock; more than that where the file system, as some over a network, has none. */
const HELD = 1;

/** Takes the lock of an open file, until that is closed; false when another has it, in this process or elsewhere. */
export function tryLockOpen(fd: number): boolean {
  // A lock belongs to the open file, which flock(1) shares with this process: it goes, the lock stays.
  const { status, stderr, error } = spawnSync('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (error) throw new Error(`flock of util-linux is needed: ${error.message}`);
  if (status !== null && status > HELD) throw new Error(`no lock can be had here: ${stderr.trim()}`);
  return status === 0;
}
