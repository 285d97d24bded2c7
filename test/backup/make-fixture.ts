/** `node dist/test/backup/make-fixture.js`: the back-up of this release, for the tests of later ones. */
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseVersion } from '../../src/release-version.js';
import { dataDir } from '../support/data-dir.js';
import { Site } from '../support/processes/site.js';
import { FIXTURES } from './fixtures.js';
import { tellStory } from './story.js';

const folder = fileURLToPath(new URL(`backup-${releaseVersion()}`, FIXTURES));
await rm(folder, { recursive: true, force: true });
const site = new Site(await dataDir(), {});
try {
  await site.start();
  await tellStory(site);
  const { code, stdout, stderr } = await site.run('src/backup/main.js', folder);
  process.stdout.write(stdout + stderr);
  process.exitCode = code;
  // It is a part of the sources, and holds nobody's secret.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  await chmod(folder, 0o755);
} finally {
  await site.remove();
}
