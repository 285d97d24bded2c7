import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitClient } from '../git-http/client.js';
import { Installation } from '../support/processes/installation.js';
import { expectStory } from './expect-story.js';
import { FIXTURES } from './fixtures.js';

describe('what an earlier release left', function () {
  this.timeout(900_000);
  const backUps = readdirSync(FIXTURES).filter((name) => name.startsWith('backup-'));

  it('is kept for each release', () => {
    expect(backUps).to.include('backup-0.1.0');
  });

  for (const backUp of backUps) {
    it(`is served by this one: ${backUp}`, async () => {
      const client = await gitClient();
      const installation = await Installation.create();
      try {
        const folder = fileURLToPath(new URL(backUp, FIXTURES));
        const { code, stderr } = await installation.run('src/backup/restore/main.js', folder);
        expect(code, stderr).to.equal(0);
        await installation.start();
        await expectStory(installation, client, backUp);
        expect(await installation.audit('--verify')).to.deep.include({ code: 0 });
        expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
      } finally {
        await installation.remove();
        await client.remove();
      }
    });
  }
});
