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
  // A lock belongs to the open file, which flock(1) shares with this process: it goes, the lock stays.
  const { status, error } = spawnSync('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (status === 0) return { fd, release: () => closeSync(fd) };
  closeSync(fd);
  if (error) throw new Error(`flock of util-linux is needed: ${error.message}`);
  return undefined;
}
