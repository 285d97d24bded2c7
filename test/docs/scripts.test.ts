import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('CONTRIBUTING.md', () => {
  it('has a line for each script', () => {
    const rows = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `npm (?:run )?(\w+)` +\| \S/gm);
    expect([...rows].map(([, script]) => script)).to.have.members(Object.keys(scripts));
  });
});

describe('npm run', () => {
  for (const [script, command] of Object.entries(scripts)) {
    const [, program] = /^exec node setup\/run\.mjs (\S+)$/.exec(command) ?? [];
    if (program === undefined) continue;

    it(`${script} tells what its exit statuses mean`, async () => {
      const { stdout } = await execute(process.execPath, [program, '--help']);
      expect(stdout).to.match(/^Exit status: 0 .*; 2 \S/m);
    });

    it(`${script} tells whoever is wrong where to read on`, async () => {
      const wrong: unknown = await execute(process.execPath, [program, '--nonsense']).catch(
        (error: unknown) => error,
      );
      expect(wrong).to.deep.include({ code: 2, stdout: '' });
      expect(wrong).to.have.property('stderr').that.includes(`npm run ${script} -- --help`);
    });
  }
});
