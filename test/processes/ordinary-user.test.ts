import { expect } from 'chai';
import { chown, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { unlessGone } from '../../src/files/presence.js';
import { canReach, serverUser } from '../../src/postgres/server-user.js';
import { dataDir } from '../support/data-dir.js';
import { familyOf } from '../support/processes/family.js';
import { Site } from '../support/processes/site.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

describe('npm start as an ordinary user', () => {
  it('serves, has every process run as that user, and leaves none', async function () {
    const user = serverUser();
    if (!user) this.skip(); // every test runs as such a user
    if (!canReach(user, process.execPath) || !canReach(user, HERE)) this.skip(); // such as in root's home
    const data = await dataDir();
    await chown(data.path, user.uid, user.gid);
    const site = new Site(data, {}, user);
    try {
      await site.start();
      expect((await fetch(`${site.address}/api/v1/version`)).status).to.equal(200);
      const family = familyOf(data.path);
      expect(family.map(({ role }) => role)).to.include.members(['supervisor', 'api', 'keeper', 'postgres']);
      for (const { pid } of family) {
        const running = await unlessGone(stat(`/proc/${pid}`)); // some end soon
        if (running) expect(running.uid).to.equal(user.uid);
      }
      await site.stop();
      expect(familyOf(data.path)).to.deep.equal([]);
    } finally {
      await site.remove();
    }
  });
});
