import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SIZE_MIB = 1_536;
const CHUNK = Buffer.alloc(4 * 1024 * 1024);

/** A disk of its own for a `DATA_DIR`, which can be filled. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that is left; gives what takes it back. */
  fill(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** Undefined where this user may not mount one. */
export async function smallDisk(): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'tallyforge-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=711`, 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true });
    return undefined;
  }
  await chmod(path, 0o711);
  const ballast = join(path, 'ballast');
  return {
    path,
    async fill() {
      const file = await open(ballast, 'w');
      try {
        for (;;) await file.write(CHUNK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
      return () => rm(ballast);
    },
    async remove() {
      await run('umount', ['--lazy', path]);
      await rm(path, { recursive: true });
    },
  };
}
