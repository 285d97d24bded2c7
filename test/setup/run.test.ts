import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDir } from '../support/data-dir.js';

const execute = promisify(execFile);

describe('npm run', () => {
  it('runs a compiled program where there is nothing to compile it from, as in the image', async () => {
    const image = await dataDir();
    await cp('setup', join(image.path, 'setup'), { recursive: true });
    await mkdir(join(image.path, 'dist'));
    await writeFile(join(image.path, 'dist/echo.mjs'), 'console.log(...process.argv.slice(2))');
    const { stdout } = await execute(process.execPath, [
      join(image.path, 'setup/run.mjs'),
      'dist/echo.mjs',
      '--all',
    ]);
    await image.remove();
    expect(stdout).to.equal('--all\n');
  });
});
