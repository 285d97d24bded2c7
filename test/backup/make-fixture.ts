/** `node dist/test/backup/make-fixture.js`: what this release leaves, for the tests of later ones. */
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { embeddedUrl } from '../../src/postgres/connection.js';
import { releaseVersion } from '../../src/start/release-version.js';
import { dataDir } from '../support/data-dir.js';
import { Site } from '../support/processes/site.js';
import { FIXTURES, packData } from './fixtures.js';
import { tellStory } from './story.js';

const placeOf = (name: string) => fileURLToPath(new URL(name, FIXTURES));
const backUp = placeOf(`backup-${releaseVersion()}`);
await rm(backUp, { recursive: true, force: true });
const site = new Site(await dataDir(), {});
try {
  await site.start();
  await tellStory(site);
  const { code, stdout, stderr } = await site.run('src/backup/main.js', backUp);
  process.stdout.write(stdout + stderr);
  process.exitCode = code;
  // It is a part of the sources, and holds nobody's secret.
  for (const entry of await readdir(backUp, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  await chmod(backUp, 0o755);

  await beginSegment(site.dataDir);
  await site.stop();
  await dropSegments(join(site.dataDir, 'postgres/pg_wal'));
  await packData(site.dataDir, placeOf(`data-${releaseVersion()}.tar.br`));
} finally {
  await site.remove();
}

/** What PostgreSQL writes when it stops goes to a new segment of its log: nothing before it is needed then. */
async function beginSegment(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) });
  await client.connect();
  await client.query('select pg_switch_wal()');
  await client.end();
}

/** Removes all segments but the one written last. */
async function dropSegments(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const written = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  const last = Math.max(...written);
  for (const [i, name] of names.entries()) if (written[i] !== last) await rm(join(folder, name));
}
