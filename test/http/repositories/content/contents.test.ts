import { expect } from 'chai';
import { descendantsOf } from '../../../git-http/processes.js';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { until } from '../../../support/process.js';
import { PIXEL, pushedSite, SUBMODULE, type Site } from './site.js';

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly sha: string;
  readonly last_commit_sha: string;
  readonly last_commit_when: string;
}

describe('contents over HTTP', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
  });
  after(() => world.stop());

  const asked = (path: string) => world.api.anonymous.get(`${site.path}/contents${path}`);
  const hashOf = async (path: string) => (await site.git('rev-parse', `main:${path}`)).trim();
  const timeOf = async (commit: string) => {
    const seconds = Number(await site.git('show', '--no-patch', '--format=%ct', commit));
    return new Date(seconds * 1000).toISOString().replace('.000', '');
  };

  it('list the root in the order of git, one level deep', async () => {
    const { status, json, headers } = await asked('');
    expect(status).to.equal(200);
    const entries = (json as Entry[]).map(({ path, type }) => [path, type]);
    expect(entries).to.deep.equal([
      ['.editorconfig', 'file'],
      ['.gitmodules', 'file'],
      ['README.md', 'file'],
      ['link', 'symlink'],
      ['pixel.png', 'file'],
      ['src', 'dir'],
      ['vendor', 'dir'],
    ]);
    expect(headers.get('x-total-count')).to.equal('7');
    for (const entry of json as object[]) expect(entry).to.include({ encoding: null, content: null });
    const readme = (json as Entry[]).find(({ path }) => path === 'README.md');
    expect(readme?.last_commit_sha).to.equal(site.first);
    expect(readme?.last_commit_when).to.equal(await timeOf(site.first));
  });

  it('are those of a directory', async () => {
    const { json } = await asked('/src/');
    expect((json as Entry[]).map(({ path }) => path)).to.deep.equal(['src/deep', 'src/index.ts']);
  });

  it('are a file with its content', async () => {
    const { status, json } = await asked('/src/deep/a%20b.txt?ref=feature/one');
    expect(status).to.equal(200);
    const sha = await hashOf('src/deep/a b.txt');
    const base = world.api.url();
    const self = `${base}/api/v1${site.path}/contents/src/deep/a%20b.txt?ref=feature%2Fone`;
    const git = `${base}/api/v1${site.path}/git/blobs/${sha}`;
    const html = `${base}/owner/site/src/branch/feature/one/src/deep/a%20b.txt`;
    expect(json).to.deep.equal({
      name: 'a b.txt',
      path: 'src/deep/a b.txt',
      sha,
      last_commit_sha: site.head,
      last_commit_when: await timeOf(site.head),
      type: 'file',
      size: 5,
      encoding: 'base64',
      content: Buffer.from('deep\n').toString('base64'),
      target: null,
      url: self,
      html_url: html,
      git_url: git,
      download_url: html.replace('/src/branch/', '/raw/branch/'),
      submodule_git_url: null,
      _links: { self, git, html },
    });
  });

  it('are what a link points to, and where a submodule comes from', async () => {
    expect((await asked('/link')).json).to.deep.include({
      type: 'symlink',
      target: 'README.md',
      content: null,
    });
    expect((await asked('/vendor/lib')).json).to.deep.include({
      type: 'submodule',
      sha: SUBMODULE,
      submodule_git_url: 'https://example.org/lib.git',
      git_url: null,
      html_url: null,
      download_url: null,
    });
  });

  it('are a large file with its content, as it has always been', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 1, 'abcdefghijk"é');
    await site.push({ 'large.txt': large });
    const { sha } = (await asked('/large.txt')).json as Entry;
    const blob = await world.api.anonymous.get(`${site.path}/git/blobs/${sha.toUpperCase()}`);
    for (const { status, headers, text, json } of [await asked('/large.txt'), blob]) {
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json;charset=utf-8']);
      expect(headers.get('content-length')).to.equal(String(Buffer.byteLength(text)));
      expect(json).to.include({ sha, size: large.length, encoding: 'base64' });
      expect((json as { content: string }).content === large.toString('base64')).to.equal(true);
    }
    expect(blob.json).to.have.all.keys('url', 'sha', 'size', 'encoding', 'content');
    const { status, headers } = await fetch(`${world.api.url()}/api/v1${site.path}/contents/large.txt`, {
      method: 'HEAD',
    });
    expect([status, Number(headers.get('content-length'))]).to.deep.equal([
      200,
      (await asked('/large.txt')).text.length,
    ]);
    await until(async () => (await descendantsOf(process.pid, 'cat-file')).length === 0);
    await site.git('rm', '--quiet', 'large.txt');
    await site.push({});
  });

  it('are those of a branch, a tag or a commit', async () => {
    for (const ref of ['main', 'v1', site.head, site.head.slice(0, 7)])
      expect((await asked(`/pixel.png?ref=${ref}`)).status, ref).to.equal(200);
    expect((await asked(`/pixel.png?ref=${site.first}`)).status).to.equal(404);
  });

  it('are none in an empty repository', async () => {
    await world.create('empty');
    const { status, json } = await world.api.anonymous.get('/repos/owner/empty/contents');
    expect([status, json]).to.deep.equal([200, []]);
  });

  it('are 404 for unknown paths and refs, and for what is no path', async () => {
    const paths = [
      '/absent',
      '/README.md/below',
      '/.git/config',
      '/src/.GIT/HEAD',
      '/..%2F..%2Fetc',
      '/src%5Cindex.ts',
    ];
    for (const path of [...paths, '?ref=absent', '?ref=--all', '/README.md?ref=main~9'])
      expect((await asked(path)).status, path).to.equal(404);
  });

  describe('raw', () => {
    const raw = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${world.api.url()}/api/v1${site.path}/raw/${path}`, { headers });
      return { response, content: Buffer.from(await response.arrayBuffer()) };
    };

    it('is the bytes of a file, as what they are', async () => {
      const { response, content } = await raw('README.md');
      expect(content.toString()).to.equal('# Site\n');
      const headers = Object.fromEntries(response.headers);
      expect(headers).to.include({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'inline; filename="README.md"',
        'x-content-type-options': 'nosniff',
        'x-forgejo-object-type': 'file',
        'x-gitea-object-type': 'file',
        etag: `"${await hashOf('README.md')}"`,
      });
      expect(headers).to.have.property('last-modified');
      const image = await raw('pixel.png');
      expect(image.response.headers.get('content-type')).to.equal('image/png');
      expect(image.content.equals(PIXEL)).to.equal(true);
      expect((await raw('link')).response.headers.get('x-gitea-object-type')).to.equal('symlink');
      expect((await fetch(`${world.api.url()}/api/v1${site.path}/media/README.md`)).status).to.equal(200);
    });

    it('is of the ref that the query or the beginning of the path names', async () => {
      const of = [
        'README.md?ref=v1',
        'main/README.md',
        'feature/one/README.md',
        'v1/README.md',
        'refs/heads/feature/one/README.md',
        'refs/tags/v1/README.md',
        `${site.head}/README.md`,
      ];
      for (const path of of) expect((await raw(path)).content.toString(), path).to.equal('# Site\n');
      expect((await raw(`pixel.png?ref=light`)).response.status).to.equal(404);
      expect((await raw(`light/pixel.png`)).response.status).to.equal(404);
    });

    it('is on the default branch if the path begins with what looks like a hash and is none', async () => {
      const hash = 'a'.repeat(40);
      const named = await pushedSite(world, 'named-like-hashes');
      const folder = 'B'.repeat(40);
      await named.git('mv', 'src', folder);
      await named.push({ [hash]: 'file' });
      const at = (path: string) => world.api.anonymous.get(`${named.path}/raw/${path}`);
      expect((await at(hash)).text).to.equal('file');
      expect((await at(`${folder}/index.ts`)).text).to.equal('export {};\n');
      for (const path of [`${hash}/below`, named.head, `${named.head}/${hash}`])
        expect((await at(path)).status, path).to.equal(404);
    });

    it('lies where answers say that it can be downloaded', async () => {
      for (const ref of [
        '',
        '?ref=feature/one',
        '?ref=v1',
        `?ref=${site.head}`,
        `?ref=${site.head.slice(0, 9)}`,
        '?ref=refs/heads/main',
        '?ref=feature/one~0',
      ]) {
        const { json } = await world.owner.get(`${site.path}/contents/src/deep/a b.txt${ref}`);
        const { download_url: address } = json as { download_url: string };
        expect(await (await fetch(address)).text(), address).to.equal('deep\n');
      }
      const beside = `${world.api.url()}/owner/${site.repository.name}`;
      for (const address of [`raw/branch/main/README.md`, `raw/commit/${site.head}/README.md`])
        expect((await fetch(`${beside}/${address}?token=wrong`)).status, address).to.equal(401);
      const { headers } = await fetch(
        `${world.api.url()}/owner/${site.repository.name}/raw/branch/main/link`,
      );
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      for (const path of ['raw/branch/absent/README.md', 'raw/branch/main', 'raw/tree/main/README.md', 'src'])
        expect(
          (await fetch(`${world.api.url()}/owner/${site.repository.name}/${path}`)).status,
          path,
        ).to.equal(404);
    });

    it('lies at the address of its commit, even if a branch has the hash as its name', async () => {
      const { owner } = world;
      const { json } = await owner.get(`${site.path}/contents/src/index.ts?ref=${site.head}`);
      const { download_url: address } = json as { download_url: string };
      const branch = { new_branch_name: site.head, old_ref_name: 'light' };
      expect((await owner.post(`${site.path}/branches`, branch)).status).to.equal(201);
      expect(await (await fetch(address)).text()).to.equal('export {};\n');
      expect((await owner.delete(`${site.path}/branches/${site.head}`)).status).to.equal(204);
    });

    it('lies at its tag also where the name of a branch is the beginning of the address', async () => {
      const alike = await pushedSite(world, 'named-alike');
      await alike.push({ 'index.ts': 'of a branch\n' });
      await alike.git('push', '--quiet', 'origin', 'main:refs/heads/sub', 'v1:refs/tags/sub/one');
      await alike.git('push', '--quiet', 'origin', 'main:refs/heads/top/src', 'v1:refs/tags/top');
      for (const [file, tag] of [
        ['README.md', 'sub/one'],
        ['src/index.ts', 'top'],
      ]) {
        const { json } = await world.owner.get(`${alike.path}/contents/${file}?ref=${tag}`);
        const { content, download_url: address } = json as { content: string; download_url: string };
        const text = Buffer.from(content, 'base64').toString();
        expect(await (await fetch(address)).text(), address).to.equal(text);
      }
      const missing = `${world.api.url()}/owner/named-alike/raw/branch/src/index.ts`;
      expect((await fetch(missing)).status).to.equal(404);
    });

    it('lies at its branch also where another one is named like that in full', async () => {
      const alike = await pushedSite(world, 'named-in-full');
      await alike.push({ 'README.md': 'of main\n' });
      const other = { new_branch_name: 'refs/heads/main', old_ref_name: alike.head };
      expect((await world.owner.post(`${alike.path}/branches`, other)).status).to.equal(201);
      for (const [ref, text] of [
        ['main', 'of main\n'],
        ['refs/heads/refs/heads/main', '# Site\n'],
      ]) {
        const { json } = await world.owner.get(`${alike.path}/contents/README.md?ref=${ref}`);
        const { download_url: address } = json as { download_url: string };
        expect(await (await fetch(address)).text(), address).to.equal(text);
      }
      const beside = `${world.api.url()}/owner/named-in-full/raw/branch/refs/heads/main/README.md`;
      expect(await (await fetch(beside)).text()).to.equal('# Site\n');
    });

    it('comes in parts, however large, and not again for who has it', async () => {
      const large = Buffer.alloc(3 * 1024 * 1024, 'abcdefghij');
      await site.push({ 'large.txt': large });
      const whole = await raw('large.txt');
      expect(whole.content.equals(large)).to.equal(true);
      const part = await raw('large.txt', { range: 'bytes=1500000-2500000' });
      expect(part.response.status).to.equal(206);
      expect(part.content.equals(large.subarray(1_500_000, 2_500_001))).to.equal(true);
      const beyond = await raw('large.txt', { range: 'bytes=99999999-' });
      expect([beyond.response.status, beyond.content.length]).to.deep.equal([416, 0]);
      const etag = whole.response.headers.get('etag') ?? '';
      expect((await raw('large.txt', { 'if-none-match': etag })).response.status).to.equal(304);
      const since = whole.response.headers.get('last-modified') ?? '';
      expect((await raw('large.txt', { 'if-modified-since': since })).response.status).to.equal(304);
    });

    it('leaves no program behind where no byte of a large one is wanted', async () => {
      await site.push({ 'unwanted.txt': Buffer.alloc(3 * 1024 * 1024, 'abcdefghij') });
      const programs = () => descendantsOf(process.pid, 'cat-file');
      expect((await raw('unwanted.txt', { range: 'bytes=99999999-' })).response.status).to.equal(416);
      await until(async () => (await programs()).length === 0);
      const address = `${world.api.url()}/api/v1${site.path}/raw/unwanted.txt`;
      // A range is for GET alone.
      const { status, headers } = await fetch(address, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
      expect([status, headers.get('content-length')]).to.deep.equal([200, String(3 * 1024 * 1024)]);
      await until(async () => (await programs()).length === 0);
    });

    it('lets browsers run nothing', async () => {
      await site.push({
        'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
        'a.html': '<script></script>',
      });
      const svg = (await raw('a.svg')).response.headers;
      expect(svg.get('content-type')).to.equal('image/svg+xml');
      expect(svg.get('content-security-policy')).to.include('sandbox');
      expect((await raw('a.html')).response.headers.get('content-type')).to.equal(
        'text/plain; charset=utf-8',
      );
    });

    it('is 404 for directories, submodules, what is not there, and in an empty repository', async () => {
      for (const path of ['src', 'vendor/lib', 'absent', 'main', '.git/config', 'README.md?ref=absent'])
        expect((await raw(path)).response.status, path).to.equal(404);
      expect((await world.api.anonymous.get('/repos/owner/empty/raw/a')).status).to.equal(404);
    });
  });
});
