import { mkdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../files/presence.js';

/**
 * Notes the repositories whose refs are being moved, with one file for each. A note is written before the log and
 * removed once disk and ledger agree with the log. If a crash leaves one, the repository must be compared with the log
 * before its refs are read.
 */
export class PendingRefs {
  readonly #folder: string;

  constructor({ dataDir }: { readonly dataDir: string }) {
    this.#folder = join(dataDir, 'repositories', 'pending');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Notes a repository, before its refs are moved. */
  note(repositoryId: number): Promise<void> {
    return writeFile(this.#fileOf(repositoryId), '');
  }

  /** Removes the note; does nothing if there is none. */
  clear(repositoryId: number): Promise<void> {
    return rm(this.#fileOf(repositoryId), { force: true });
  }

  has(repositoryId: number): Promise<boolean> {
    return exists(this.#fileOf(repositoryId));
  }

  /** Returns the ids of all repositories noted. */
  async ids(): Promise<number[]> {
    return (await readdir(this.#folder)).map(Number).filter(Number.isSafeInteger);
  }

  #fileOf(repositoryId: number): string {
    return join(this.#folder, String(repositoryId));
  }
}
