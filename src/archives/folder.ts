import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../files/presence.js';

const UNFINISHED = '.part';
/** Unfinished files older than this were left by a process that has ended. */
const ABANDONED_MS = 6 * 60 * 60 * 1000;

/** The limits of a folder after `trim`: total size in bytes and number of finished files. */
export interface FolderLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** A folder of files that can be made again; the least recently used are removed first. Processes may share it. */
export class Folder {
  constructor(
    readonly path: string,
    readonly limits: FolderLimits,
  ) {}

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Returns a path for an unfinished file, unique among all processes. Files that are never finished are removed later. */
  async unfinished(name: string): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return join(this.path, `${name}.${randomUUID()}${UNFINISHED}`);
  }

  /** Returns the size of a file if it exists, and marks it as just used. */
  async use(name: string): Promise<number | undefined> {
    const path = this.pathOf(name);
    const now = new Date(Date.now() + 1); // later than files written in this millisecond
    const found = await unlessGone(utimes(path, now, now).then(() => stat(path)));
    return found?.size;
  }

  /** Removes the least recently used files until the rest is within the limits. Open readers are not disturbed. */
  async trim(): Promise<void> {
    const files = (await this.#files()).sort((one, other) => other.usedAt - one.usedAt);
    let bytes = 0;
    let kept = 0;
    for (const { name, size, usedAt } of files) {
      if (name.endsWith(UNFINISHED)) {
        if (Date.now() - usedAt > ABANDONED_MS) await rm(this.pathOf(name), { force: true });
        continue;
      }
      bytes += size;
      kept += 1;
      if (bytes > this.limits.maxBytes || kept > this.limits.maxFiles)
        await rm(this.pathOf(name), { force: true });
    }
  }

  /** Removes every file whose name begins with `prefix`. */
  async removeAll(prefix: string): Promise<void> {
    const names = await readdir(this.path).catch(() => []);
    for (const name of names) if (name.startsWith(prefix)) await rm(this.pathOf(name), { force: true });
  }

  async #files(): Promise<{ name: string; size: number; usedAt: number }[]> {
    const files: { name: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(this.path)) {
      const found = await stat(this.pathOf(name)).catch(() => undefined); // another process has just removed it
      if (found) files.push({ name, size: found.size, usedAt: found.mtimeMs });
    }
    return files;
  }
}
