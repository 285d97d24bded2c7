import { open, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { descendantsOf } from '../../../git-http/processes.js';
import { until } from '../../../support/process.js';
import { pushedSite, type Site } from './site.js';

const ENTRIES = 100_000;
const BOMB_BYTES = 256 * 1024 * 1024;

describe('contents made to be too much', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
  });
  after(() => world.stop());

  const asked = (path: string) => world.api.anonymous.get(`${site.path}/${path}`);
  const git = async (input: string, ...args: string[]) =>
    (await world.client.git(args, { in: 'site', input })).trim();

  /** A commit with that tree, pushed. */
  async function pushTree(tree: string, branch = 'main'): Promise<void> {
    const commit = await git('', 'commit-tree', tree, '-p', 'main', '-m', 'too much');
    await site.git('push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`);
  }

  it('are listed where a directory has thousands of links', async () => {
    const target = await git('README.md', 'hash-object', '-w', '--stdin');
    const lines = Array.from({ length: 3_000 }, (_, number) => `120000 blob ${target}\tlink${number}\n`);
    await pushTree(await git(lines.join(''), 'mktree'), 'links');
    const { status, json } = await asked('contents?ref=links');
    expect(status).to.equal(200);
    expect(json).to.have.length(3_000);
    for (const link of json as object[]) expect(link).to.include({ type: 'symlink', target: 'README.md' });
  });

  it('are listed in part where a directory has 100,000 files', async () => {
    const blob = await git('x', 'hash-object', '-w', '--stdin');
    const lines = Array.from({ length: ENTRIES }, (_, number) => `100644 blob ${blob}\tfile${number}\n`);
    await pushTree(await git(lines.join(''), 'mktree'));
    const listing = await asked('contents');
    expect(listing.status).to.equal(200);
    expect(listing.json).to.have.length(5_000);
    expect(listing.headers.get('x-total-count')).to.equal(String(ENTRIES));
    const tree = await asked('git/trees/main?page=100');
    expect(tree.json).to.deep.include({ page: 100, total_count: ENTRIES, truncated: false });
    expect((tree.json as { tree: object[] }).tree).to.have.length(1_000);
    const commit = await asked('git/commits/main');
    expect((commit.json as { files: object[] }).files.length).to.be.lessThan(ENTRIES);
    expect((await world.owner.post(`${site.path}/contents/one-more`, { content: '' })).status).to.equal(201);
  });

  it('are listed as far as their addresses are a few megabytes', async () => {
    const blob = await git('t'.repeat(4_000), 'hash-object', '-w', '--stdin');
    const lines = (mode: string) => Array.from({ length: 600 }, (_, at) => `${mode} blob ${blob}\tf${at}\n`);
    const files = await git(lines('100644').join(''), 'mktree');
    const folder = 'é'.repeat(2_500);
    const links = await git(lines('120000').join(''), 'mktree');
    await pushTree(
      await git(`040000 tree ${files}\t${folder}\n040000 tree ${links}\tlinks\n`, 'mktree'),
      'wide',
    );
    for (const [path, least] of [
      [`contents/${folder}?ref=wide`, 100],
      ['contents/links?ref=wide', 400],
    ] as const) {
      const { status, text, json, headers } = await asked(path);
      expect([status, headers.get('x-total-count')]).to.deep.equal([200, '600']);
      expect(json).to.have.length.within(least, 599);
      expect(text.length).to.be.below(16 * 1024 * 1024);
    }
  });

  it('are listed by pages of a tree whose paths are a few megabytes at most', async () => {
    const blob = await git('x', 'hash-object', '-w', '--stdin');
    let tree = await git(`100644 blob ${blob}\tfile\n`, 'mktree');
    for (let level = 0; level < 200; level += 1)
      tree = await git(`040000 tree ${tree}\t${'n'.repeat(250)}\n`, 'mktree');
    await pushTree(tree, 'nested');
    const page = (size: number) => asked(`git/trees/nested?recursive=1&per_page=${size}`);
    expect((await page(1_000)).status).to.equal(422);
    const { status, json } = await page(100);
    expect([status, (json as { total_count: number }).total_count]).to.deep.equal([200, 201]);
    expect((json as { tree: object[] }).tree).to.have.length(100);
  });

  it('are left out where files that one request moves are too large together', async () => {
    const sha = await git('x'.repeat(6 * 1024 * 1024), 'hash-object', '-w', '--stdin');
    const names = ['first', 'second', 'third'];
    const lines = names.map((name) => `100644 blob ${sha}\t${name}\n`);
    await pushTree(await git(lines.join(''), 'mktree'), 'moved');
    const files = names.map((name) => ({ operation: 'update', from_path: name, path: `to/${name}`, sha }));
    const { status, json } = await world.owner.post(`${site.path}/contents`, { branch: 'moved', files });
    expect(status).to.equal(201);
    const [first, ...others] = (json as { files: { content: string }[] }).files;
    expect(first?.content).to.have.length(8 * 1024 * 1024);
    expect(others.map(({ content }) => content)).to.deep.equal(['', '']);
  });

  it('are streamed, or left out, where a quarter of a megabyte unfolds to a quarter of a gigabyte', async () => {
    await site.git('pull', '--quiet', 'origin', 'main');
    const path = join(world.client.folder, 'site', 'bomb');
    const file = await open(path, 'w');
    await file.truncate(BOMB_BYTES);
    await file.close();
    await site.push({});
    const before = process.memoryUsage().rss;
    const listed = await asked('contents/bomb');
    expect(listed.json).to.include({ size: BOMB_BYTES, content: '' });
    const { sha } = listed.json as { sha: string };
    expect((await asked(`git/blobs/${sha}`)).json).to.include({ size: BOMB_BYTES, content: '' });
    for (const part of ['raw/bomb', 'archive/main.tar.gz', 'archive/main.zip']) {
      const answer = await fetch(`${world.api.url()}/api/v1${site.path}/${part}`);
      expect(answer.status, part).to.equal(200);
      let bytes = 0;
      for await (const piece of answer.body ?? []) bytes += (piece as Uint8Array).length;
      if (part === 'raw/bomb') expect(bytes).to.equal(BOMB_BYTES);
      else expect(bytes).to.be.lessThan(BOMB_BYTES / 10);
    }
    expect((await asked('languages')).json).to.not.have.property('bomb');
    expect((await asked('git/commits/main.diff')).status).to.equal(200);
    expect(process.memoryUsage().rss - before).to.be.below(BOMB_BYTES / 2); // what was read is collected at some time
    await rm(path);
    await site.push({});
  });

  it('leave places for others where one client reads none of the many that it has asked for', async () => {
    const large = await git('x'.repeat(BOMB_BYTES / 8), 'hash-object', '-w', '--stdin');
    await pushTree(await git(`100644 blob ${large}\tlarge\n`, 'mktree'), 'large');
    const path = `${site.path}/raw/large?ref=large`;
    // More than there are places for all clients.
    const unread = Array.from({ length: 100 }, () =>
      get(`${world.api.url()}/api/v1${path}`, { agent: false })
        .on('response', () => undefined)
        .on('error', () => undefined),
    );
    const programs = () => descendantsOf(process.pid, 'cat-file');
    await until(async () => (await programs()).length >= 16);
    expect((await world.owner.get(path)).status).to.equal(200);
    for (const request of unread) request.destroy();
    await until(async () => (await programs()).length === 0);
  });

  it('leave places for others where one client reads none of the large contents that it has asked for', async () => {
    const content = Buffer.alloc(10 * 1024 * 1024, 'many');
    const large = await git(content.toString(), 'hash-object', '-w', '--stdin');
    await pushTree(await git(`100644 blob ${large}\tlarge\n`, 'mktree'), 'contents');
    const paths = [`${site.path}/contents/large?ref=contents`, `${site.path}/git/blobs/${large}`];
    let begun = 0;
    const unread = Array.from({ length: 100 }, (_, at) =>
      get(`${world.api.url()}/api/v1${paths[at % 2] ?? ''}`, { agent: false })
        .on('response', () => begun++)
        .on('error', () => undefined),
    );
    const programs = () => descendantsOf(process.pid, 'cat-file');
    await until(async () => (await programs()).length >= 16);
    for (const path of paths) {
      const { status, json } = await world.owner.get(path);
      expect([status, (json as { size: number }).size]).to.deep.equal([200, content.length]);
      expect((json as { content: string }).content === content.toString('base64')).to.equal(true);
    }
    expect(begun).to.be.at.most(16);
    for (const request of unread) request.destroy();
    await until(async () => (await programs()).length === 0);
  });

  it('are counted up to a bound where few objects unfold to 10,000,000 files', async () => {
    await site.git('fetch', '--quiet', 'origin', 'main:main', '--update-head-ok');
    let object = await git('x', 'hash-object', '-w', '--stdin');
    let kind = '100644 blob';
    for (let level = 0; level < 7; level += 1) {
      const lines = Array.from({ length: 10 }, (_, number) => `${kind} ${object}\tf${number}\n`);
      object = await git(lines.join(''), 'mktree');
      kind = '040000 tree';
    }
    await pushTree(object);
    expect((await asked('contents')).json).to.have.length(10);
    const { status, json } = await asked('git/trees/main?recursive=true');
    expect([status, (json as { truncated: boolean }).truncated]).to.deep.equal([200, true]);
    expect((await asked('languages')).json).to.deep.equal({});
    expect((await asked('raw/f0/f1/f2/f3/f4/f5/f6')).text).to.equal('x');
  });
});
