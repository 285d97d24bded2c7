import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const REMOTES = new URL('../../src/mirrors/remotes.js', import.meta.url);

describe('undici', () => {
  it('is loaded by the first request to the world, not with the program', async () => {
    const program = `
      import { createRequire } from 'node:module';
      const isLoaded = () => Object.keys(createRequire(${JSON.stringify(REMOTES.pathname)}).cache)
        .some((path) => path.includes('/undici/'));
      const { Remotes } = await import(${JSON.stringify(REMOTES.href)});
      const logger = { info() {}, warn() {}, child: () => logger };
      const limits = { timeoutMs: 1000, maxBytes: 1n };
      const git = { mirrorClone: () => Promise.reject(new Error('git')) };
      const remotes = new Remotes({ git, rules: {}, limits, logger });
      const before = isLoaded();
      await remotes.clone({ url: 'http://localhost/' }, 1, { ownerId: 1 }).catch(() => undefined);
      console.log(before, isLoaded());
      await remotes.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ]);
    expect(stdout).to.equal('false true\n');
  });
});
