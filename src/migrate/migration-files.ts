import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** One SQL file of a migrations folder. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** `migrations/` of this checkout, as seen from `dist/src/migrate`. */
export const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

/** Reads the `*.sql` files of `migrations/<folder>` in the order in which they apply, which is by name. */
export async function readMigrations(folder: string, root: URL = MIGRATIONS): Promise<MigrationFile[]> {
  const directory = new URL(`${folder}/`, root);
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
