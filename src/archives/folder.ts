import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../presence.js';

const UNFINISHED = '.part';
/** What is older was left by a process that is gone. */
const ABANDONED_MS = 6 * 60 * 60 * 1000;

/** How many bytes and how many finished files a folder holds at most, once it was trimmed. */
export interface FolderLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** A folder of files that can be made again; the least recently used go first. Processes may share it. */
export class Folder {
  constructor(
    readonly path: string,
    readonly limits: FolderLimits,
  ) {}

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** A path for a file on its way that nobody else has, in whatever process; what is never finished is swept. */
  async unfinished(name: string): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return join(this.path, `${name}.${randomUUID()}${UNFINISHED}`);
  }

  /** Its size, if it is there; counts as used now. */
  async use(name: string): Promise<number | undefined> {
    const path = this.pathOf(name);
    const now = new Date(Date.now() + 1); // later than what was written in this very millisecond
    const found = await unlessGone(utimes(path, now, now).then(() => stat(path)));
    return found?.size;
  }

  /** Removes what was used longest ago until the rest keeps the limits. Who reads a removed file reads on. */
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

  /** Removes every file whose name begins so. */
  async removeAll(prefix: string): Promise<void> {
    const names = await readdir(this.path).catch(() => []);
    for (const name of names) if (name.startsWith(prefix)) await rm(this.pathOf(name), { force: true });
  }

  async #files(): Promise<{ name: string; size: number; usedAt: number }[]> {
    const files: { name: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(this.path)) {
      const found = await stat(this.pathOf(name)).catch(() => undefined); // another process was quicker
      if (found) files.push({ name, size: found.size, usedAt: found.mtimeMs });
    }
    return files;
  }
}
