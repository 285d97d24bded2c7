import { mkdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../presence.js';

/**
 * The repositories whose refs are on the move, a file for each: written before the log is told, removed once disk and
 * ledger follow it. What a crash leaves here has to be compared with the log before anybody looks at its refs.
 */
export class PendingRefs {
  readonly #folder: string;

  constructor({ dataDir }: { readonly dataDir: string }) {
    this.#folder = join(dataDir, 'repositories', 'pending');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  note(repositoryId: number): Promise<void> {
    return writeFile(this.#fileOf(repositoryId), '');
  }

  clear(repositoryId: number): Promise<void> {
    return rm(this.#fileOf(repositoryId), { force: true });
  }

  has(repositoryId: number): Promise<boolean> {
    return exists(this.#fileOf(repositoryId));
  }

  async ids(): Promise<number[]> {
    return (await readdir(this.#folder)).map(Number).filter(Number.isSafeInteger);
  }

  #fileOf(repositoryId: number): string {
    return join(this.#folder, String(repositoryId));
  }
}
