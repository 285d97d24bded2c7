import { expect } from 'chai';
import { output } from '../support/programs.js';

const REMOTES = new URL('../../src/mirrors/remotes.js', import.meta.url);
const POST = new URL('../../src/webhooks/post.js', import.meta.url);
const DISPATCHER = new URL('../../src/webhooks/dispatcher.js', import.meta.url);
const IS_LOADED = `
  import { createRequire } from 'node:module';
  const isLoaded = () => Object.keys(createRequire(${JSON.stringify(REMOTES.pathname)}).cache)
    .some((path) => path.includes('/undici/'));`;

const printed = (program: string) =>
  output(process.execPath, ['--input-type=module', '--eval', IS_LOADED + program], { cwd: process.cwd() });

describe('undici', () => {
  it('is loaded by the first request to the world, not with the program', async () => {
    const answers = await printed(`
      const { Remotes } = await import(${JSON.stringify(REMOTES.href)});
      const logger = { info() {}, warn() {}, child: () => logger };
      const limits = { timeoutMs: 1000, maxBytes: 1n };
      const git = { mirrorClone: () => Promise.reject(new Error('git')) };
      const remotes = new Remotes({ git, rules: {}, limits, logger });
      const before = isLoaded();
      await remotes.clone({ url: 'http://localhost/' }, 1, { ownerId: 1 }).catch(() => undefined);
      console.log(before, isLoaded());
      await remotes.close();`);
    expect(answers).to.equal('false true\n');
  });

  it('is loaded by the first delivery, not with the dispatcher', async () => {
    const answers = await printed(`
      await import(${JSON.stringify(DISPATCHER.href)});
      const { poster } = await import(${JSON.stringify(POST.href)});
      const before = isLoaded();
      await poster(() => { throw new Error('no agent'); }, 1000)({ url: 'http://localhost/', headers: {}, body: '' });
      console.log(before, isLoaded());`);
    expect(answers).to.equal('false true\n');
  });
});
