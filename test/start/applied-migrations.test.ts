import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { MIGRATIONS, readMigrations } from '../../src/migrate/migration-files.js';

/**
 * There are databases that were made of these files. Another shape of a table is a new file, which adds a line to
 * `migrations/applied.json`. Only the files of a read model may change, with its `version`; the lines of the new version
 * then take the place of those of the one before.
 */
describe('migrations that were applied', () => {
  it('are as they were', async () => {
    const known: unknown = JSON.parse(await readFile(new URL('applied.json', MIGRATIONS), 'utf8'));
    expect(await digests()).to.deep.equal(known);
  });
});

/** The digest of each file: `events/0001-log.sql`, and of read models under their schema, `accounts_v2/0001-tables.sql`. */
async function digests(): Promise<Record<string, string>> {
  const schemas = new Map(projections.map((projection) => [projection.name, schemaOf(projection)]));
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readMigrations(folder)).map(({ name, sha256 }) => [
        `${schemas.get(folder) ?? folder}/${name}`,
        sha256,
      ]),
    ),
  );
  return Object.fromEntries(found.flat()) as Record<string, string>;
}
