import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitClient } from '../git-http/client.js';
import { Installation } from '../support/processes/installation.js';
import { expectStory } from './expect-story.js';
import { FIXTURES, unpackData } from './fixtures.js';

describe('what an earlier release left', function () {
  this.timeout(900_000);
  const fixtures = readdirSync(FIXTURES);

  it('is kept for each release', () => {
    expect(fixtures).to.include.members(['backup-0.1.0', 'data-0.1.0.tar.br']);
  });

  for (const fixture of fixtures) {
    it(`is served by this one: ${fixture}`, async () => {
      const client = await gitClient();
      const installation = await Installation.create({ ALLOW_LOCAL_NETWORKS: 'true' });
      try {
        const place = fileURLToPath(new URL(fixture, FIXTURES));
        if (fixture.startsWith('data-')) await unpackData(place, installation.dataDir);
        else {
          const { code, stderr } = await installation.run('src/backup/restore/main.js', place);
          expect(code, stderr).to.equal(0);
        }
        await installation.start();
        await expectStory(installation, client, fixture);
        expect(await installation.audit('--verify')).to.deep.include({ code: 0 });
        expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
        expect(installation.logged()).to.not.match(/DatabaseError/);
      } finally {
        await installation.remove();
        await client.remove();
      }
    });
  }
});
