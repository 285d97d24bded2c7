import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basic } from '../../../support/client.js';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, type Site } from './site.js';

describe('archives over HTTP', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
  });
  after(() => world.stop());

  /** The bytes of an archive, and what came with them. */
  async function fetched(name: string, headers: Readonly<Record<string, string>> = {}, base = site.path) {
    const response = await fetch(`${world.api.url()}/api/v1${base}/archive/${name}`, { headers });
    const content = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, content };
  }

  it('are tarballs with everything in a folder of the name of the repository', async () => {
    const { status, headers, content } = await fetched('main.tar.gz');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/gzip');
    expect(headers.get('content-disposition')).to.equal('attachment; filename="site-main.tar.gz"');
    expect(headers.get('access-control-expose-headers')).to.equal('Content-Disposition');
    expect(headers.get('cache-control')).to.equal('private, max-age=300');
    const entries = execFileSync('tar', ['tzf', '-'], { input: content }).toString().split('\n');
    expect(entries).to.include.members(['site/', 'site/README.md', 'site/src/deep/a b.txt']);
    expect(entries.filter((entry) => entry !== '' && !entry.startsWith('site/'))).to.deep.equal([]);
  });

  it('are zip files', async () => {
    const { headers, content } = await fetched('v1.zip');
    expect(headers.get('content-type')).to.equal('application/zip');
    expect(content.subarray(0, 4).toString('latin1')).to.equal('PK\x03\x04');
    expect(content.includes('site/src/index.ts')).to.equal(true);
  });

  it('are bundles that git takes', async () => {
    const { headers, content } = await fetched('feature/one.bundle');
    expect(headers.get('content-disposition')).to.include('"site-feature-one.bundle"');
    expect(headers.get('etag')).to.match(/^W\/".+"$/);
    expect(headers.get('link'), 'by its commit it is another one').to.equal(null);
    await writeFile(join(world.client.folder, 'it.bundle'), content);
    await world.client.git(['clone', '--quiet', '--branch', 'feature/one', 'it.bundle', 'unbundled']);
    const head = await world.client.git(['rev-parse', 'HEAD'], { in: 'unbundled' });
    expect(head.trim()).to.equal(site.head);
  });

  it('are found by branch, tag, full and short hash, with slashes raw or encoded', async () => {
    const { content } = await fetched('main.tar.gz');
    for (const reference of [
      'v1',
      site.head,
      site.head.slice(0, 10),
      'feature/one',
      'feature%2Fone',
      site.tag,
      'HEAD',
      'refs/heads/feature/one',
      'tags/v1',
      'v1%5E%7Bcommit%7D',
      'main~0',
    ]) {
      const other = await fetched(`${reference}.tar.gz`);
      expect(other.status, reference).to.equal(200);
      expect(other.content.equals(content), reference).to.equal(true);
    }
    const { content: first } = await fetched('light.tar.gz');
    expect(first.equals(content)).to.equal(false);
    for (const reference of ['main~1', 'HEAD%5E', 'v1~', `${site.head}%5E1`])
      expect((await fetched(`${reference}.tar.gz`)).content.equals(first), reference).to.equal(true);
  });

  it('link to themselves by what does not move', async () => {
    const { headers, content } = await fetched('feature/one.tar.gz');
    const [, link = ''] = /^<(.*)>; rel="immutable"$/.exec(headers.get('link') ?? '') ?? [];
    expect(link).to.equal(
      `${world.api.url()}/api/v1${site.path}/archive/${site.head}.tar.gz?rev=${site.head}`,
    );
    const followed = async () => Buffer.from(await (await fetch(link)).arrayBuffer());
    expect((await followed()).equals(content)).to.equal(true);
    const { owner } = world;
    const branch = { new_branch_name: site.head, old_ref_name: 'light' };
    expect((await owner.post(`${site.path}/branches`, branch)).status).to.equal(201);
    expect((await followed()).equals(content)).to.equal(true);
    expect((await owner.delete(`${site.path}/branches/${site.head}`)).status).to.equal(204);
  });

  it('come in parts, and not again for who has them', async () => {
    const { headers, content } = await fetched('main.zip');
    const etag = headers.get('etag') ?? '';
    const part = await fetched('main.zip', { range: 'bytes=2-5' });
    expect([part.status, part.content.equals(content.subarray(2, 6))]).to.deep.equal([206, true]);
    const fresh = await fetched('light.zip', { range: 'bytes=0-1' });
    expect([fresh.status, fresh.content.toString()]).to.deep.equal([206, 'PK']);
    expect((await fetched('main.zip', { range: 'bytes=99999999-' })).status).to.equal(416);
    expect((await fetched('main.zip', { 'if-none-match': etag })).status).to.equal(304);
    expect((await fetched('light.zip', { 'if-none-match': etag })).status).to.equal(200);
  });

  it('are 400 without a known ending', async () => {
    for (const name of ['main', 'main.rar', 'main.tar', 'main.ZIP'])
      expect((await fetched(name)).status, name).to.equal(400);
  });

  it('are 404 for what is no revision', async () => {
    const names = [
      '',
      'absent',
      'main~9',
      'main^2',
      'main^{tree}',
      'main~x',
      'absent~1',
      'refs/notes/commits',
      'f'.repeat(40),
      'a..b',
      'main:src',
      '@{1}',
    ];
    for (const name of names)
      expect((await fetched(`${encodeURIComponent(name)}.zip`)).status, name).to.equal(404);
    const { name } = await world.create('empty');
    expect((await fetched('main.zip', {}, `/repos/owner/${name}`)).status).to.equal(404);
  });

  it('take no options and no paths from outside', async () => {
    const hostile = [
      '--output=/tmp/x',
      '--remote=elsewhere',
      '-v',
      '..%2F..%2Fetc%2Fpasswd',
      '%2e%2e%2fHEAD',
    ];
    for (const name of hostile) expect((await fetched(`${name}.zip`)).status, name).to.equal(404);
    expect((await fetched('main%00.zip')).status).to.equal(404);
  });

  it('of a private repository are for its readers', async () => {
    const hidden = await pushedSite(world, 'hidden', true);
    expect((await fetched('main.zip', {}, hidden.path)).status).to.equal(404);
    const authorization = basic('owner', 'correct horse');
    expect((await fetched('main.zip', { authorization }, hidden.path)).status).to.equal(200);
  });
});
