import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { MarkdownRenderer } from '../../src/markdown/renderer.js';
import { jobFor } from './jobs.js';

/** The parser is quadratic in this. */
const SLOW = '[a](<b'.repeat(50_000) + '*a _b '.repeat(100_000);

/** Renders while there is no descriptor left to start a thread with, and once there are some again. */
const WITHOUT_DESCRIPTORS = `
  import { closeSync, openSync } from 'node:fs';
  const { MarkdownRenderer } = await import('${new URL('../../src/markdown/renderer.js', import.meta.url).href}');
  const renderer = new MarkdownRenderer({ waitMs: 1_000, onFailure: ({ code }) => console.log(code) });
  const [, job] = process.argv;
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null'));
  } catch {}
  await renderer.render(JSON.parse(job), 'ann').catch(({ code }) => console.log(code));
  taken.forEach((descriptor) => closeSync(descriptor));
  const later = new MarkdownRenderer();
  console.log(await later.render(JSON.parse(job), 'ann'));
  process.exit();`;

describe('the markdown renderer', () => {
  const renderers: MarkdownRenderer[] = [];
  const rendererWith = (options: ConstructorParameters<typeof MarkdownRenderer>[0]) => {
    const renderer = new MarkdownRenderer(options);
    renderers.push(renderer);
    return renderer;
  };
  afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

  it('renders beside the event loop', async () => {
    const renderer = rendererWith({ withinMs: 60_000 });
    expect(await renderer.render(jobFor('*a*'), 'ann')).to.equal('<p><em>a</em></p>\n');
  });

  it('has the memory for a text of 1 MiB in short lines', async () => {
    const renderer = rendererWith({ withinMs: 600_000 });
    expect(await renderer.render(jobFor('a\n'.repeat(524_288)), 'ann')).to.match(/^<p>a\na\n[^]+a<\/p>\n$/);
  });

  it('gives up a text that takes too long, and goes on with others', async () => {
    const renderer = rendererWith({ withinMs: 50, threads: 1 });
    const refused = await renderer.render(jobFor(SLOW), 'ann').catch((error: unknown) => error);
    expect(refused).to.include({ kind: 'invalid', code: 'markdown.slow' });
    // The thread that comes after the one that was ended may be too slow at first.
    let html: string | undefined;
    while (html === undefined) html = await renderer.render(jobFor('b'), 'ann').catch(() => undefined);
    expect(html).to.equal('<p>b</p>\n');
  });

  it('does not blame a text for what it waited', async () => {
    const renderer = rendererWith({ withinMs: 60_000, waitMs: 50, threads: 1 });
    const slow = renderer.render(jobFor(SLOW), 'ann').catch(() => undefined);
    const refused = await renderer.render(jobFor('a'), 'ann').catch((error: unknown) => error);
    expect(refused).to.include({ kind: 'too-many', code: 'markdown.busy' });
    await renderer.close();
    await slow;
  });

  it('tells why a text could not be rendered, but not whoever sent it', async () => {
    const failures: unknown[] = [];
    const renderer = rendererWith({ withinMs: 60_000, onFailure: (...failure) => failures.push(failure) });
    const broken = jobFor('@ann', 'gfm', { known: undefined as never });
    const refused = await renderer.render(broken, 'ann', 'the request').catch((error: unknown) => error);
    expect(refused).to.include({ kind: 'invalid', code: 'markdown.failed' });
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include('the request');
  });

  it('refuses a text whose links have so long a context that its HTML would be too long', async () => {
    const renderer = rendererWith({ withinMs: 60_000 });
    const linkBase = `http://host/${'x'.repeat(30_000)}`;
    const refused = await renderer
      .render(jobFor('[a](b) '.repeat(1_000), 'gfm', { linkBase }), 'ann')
      .catch((error: unknown) => error);
    expect(refused).to.include({ kind: 'invalid', code: 'markdown.large' });
    expect(await renderer.render(jobFor('[a](b) ', 'gfm', { linkBase }), 'ann')).to.contain(linkBase);
  });

  it('outlives a thread that cannot be started', async () => {
    const limited = ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '--input-type=module', '-e'];
    const job = JSON.stringify(jobFor('a'));
    const { stdout } = await promisify(execFile)('/bin/sh', [...limited, WITHOUT_DESCRIPTORS, job]);
    expect(stdout).to.equal('ERR_WORKER_INIT_FAILED\nmarkdown.busy\n<p>a</p>\n\n');
  });

  it('lets clients take turns', async () => {
    const renderer = rendererWith({ withinMs: 60_000, threads: 1 });
    const order: string[] = [];
    const ask = async (text: string, client: string) => {
      await renderer.render(jobFor(text), client);
      order.push(text);
    };
    await Promise.all([
      ask('a1', 'ann'),
      ask('a2', 'ann'),
      ask('a3', 'ann'),
      ask('b1', 'bob'),
      ask('b2', 'bob'),
    ]);
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('leaves places to the other clients', async () => {
    const renderer = rendererWith({ withinMs: 60_000, threads: 1, waiting: 4 });
    const asked = Array.from({ length: 8 }, () => renderer.render(jobFor('a'), 'ann'));
    const [others, own] = await Promise.all([
      Promise.allSettled([renderer.render(jobFor('b'), 'bob'), renderer.render(jobFor('c'), 'cy')]),
      Promise.allSettled(asked),
    ]);
    const outcomes = (of: readonly PromiseSettledResult<string>[]) => of.map(({ status }) => status);
    expect(outcomes(own)).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'fulfilled'),
      ...Array.from({ length: 5 }, () => 'rejected'),
    ]);
    expect(outcomes(others)).to.deep.equal(['fulfilled', 'fulfilled']);
  });

  it('refuses more than may wait', async () => {
    const renderer = rendererWith({ withinMs: 60_000, threads: 1, waiting: 1 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => renderer.render(jobFor('*a* '.repeat(10_000)), 'ann')),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).to.be.greaterThan(0);
    for (const outcome of refused)
      expect((outcome as PromiseRejectedResult).reason).to.include({
        kind: 'too-many',
        code: 'markdown.busy',
      });
  });
});
