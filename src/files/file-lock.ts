import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A lock on a file. It is held while any process has `fd` open; the system frees it when the last of them ends. */
export interface FileLock {
  readonly fd: number;
  release(): void;
}

/** Takes the lock of the file at `path`, creating the file if it is missing; undefined if another process holds it. */
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

/**
 * The exit status of flock(1) if the lock is taken. It is greater if the file system has no locks, as on some network
 * shares.
 */
const HELD = 1;

/** Takes the lock of an open file until the file is closed; false if it is taken, in this process or another. */
export function tryLockOpen(fd: number): boolean {
  // The lock belongs to the open file, which flock(1) shares with this process, so it outlives flock(1).
  const { status, stderr, error } = spawnSync('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (error) throw new Error(`flock of util-linux is needed: ${error.message}`);
  if (status !== null && status > HELD) throw new Error(`no lock can be had here: ${stderr.trim()}`);
  return status === 0;
}
