import { expect } from 'chai';
import { schemaOf } from '../../../../projections/projection.js';
import { repositories } from '../../../../projections/repositories/repositories.js';
import type { Client } from '../../../support/client.js';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { PIXEL, pushedSite, SUBMODULE, type Site } from './site.js';

interface CommitJson {
  readonly sha: string;
  readonly commit: { readonly message: string; readonly tree: { readonly sha: string } };
  readonly parents: readonly { readonly sha: string }[];
  readonly files: readonly object[] | null;
  readonly stats: object | null;
}

describe('commits and objects over HTTP', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
    await world.create('empty');
  });
  after(() => world.stop());

  const asked = (path: string) => world.api.anonymous.get(`${site.path}/${path}`);
  const hashes = (json: unknown) => (json as CommitJson[]).map(({ sha }) => sha);

  it('are of an account for those who may know of it', async () => {
    const { api, owner, reader } = world;
    await api.createUser('shy', { visibility: 'private' });
    await world.create('of-shy');
    const file = { content: '', author: { name: 'Shy', email: 'shy@example.org' } };
    expect((await owner.post('/repos/owner/of-shy/contents/file', file)).status).to.equal(201);
    const authorFor = async (client: Client) => {
      const { json } = await client.get('/repos/owner/of-shy/git/commits/main');
      return (json as { author: { login: string } | null }).author?.login;
    };
    expect(await authorFor(reader)).to.equal(undefined);
    await owner.post('/orgs', { username: 'club' });
    const team = { name: 'all', permission: 'read', units: ['repo.code'] };
    const { id } = (await owner.post('/orgs/club/teams', team)).json as { id: number };
    for (const name of ['shy', reader.username]) await api.admin.put(`/teams/${id}/members/${name}`);
    expect(await authorFor(reader)).to.equal('shy');
    expect(await authorFor(await api.createToken(reader.username, 'public-only', 'all'))).to.equal(undefined);
    expect(await authorFor(api.anonymous)).to.equal(undefined);
  });

  it('are of the account whose hidden address another one stands for', async () => {
    const { api } = world;
    const modest = await api.createUser('Modest');
    await modest.patch('/user/settings', { hide_email: true });
    await modest.post('/user/repos', { name: 'own', auto_init: true });
    const path = '/repos/modest/own';
    const [commit] = (await api.anonymous.get(`${path}/commits`)).json as {
      author: object;
      committer: object;
    }[];
    expect(commit?.author).to.include({ login: 'Modest', email: 'modest@noreply.127.0.0.1' });
    expect(commit?.committer).to.include({ login: 'Modest' });
    const { json } = await api.anonymous.get(`${path}/branches/main`);
    const { author } = (json as { commit: { author: object } }).commit;
    expect(author).to.include({ username: 'Modest', email: 'modest@noreply.127.0.0.1' });
    const nobody = { content: '', author: { name: 'Nobody', email: 'nobody@noreply.127.0.0.1' } };
    expect((await modest.post(`${path}/contents/file`, nobody)).status).to.equal(201);
    expect((await api.anonymous.get(`${path}/git/commits/main`)).json).to.include({ author: null });
  });

  describe('the list of commits', () => {
    it('is newest first, with what each one changed', async () => {
      const { status, json, headers } = await asked('commits');
      expect(status).to.equal(200);
      expect(hashes(json)).to.deep.equal([site.head, site.first]);
      const [head] = json as CommitJson[];
      expect(head?.parents.map(({ sha }) => sha)).to.deep.equal([site.first]);
      expect(head?.commit.tree.sha).to.equal((await site.git('rev-parse', 'main^{tree}')).trim());
      expect(head?.files).to.deep.include({ filename: 'src/index.ts', status: 'added' });
      expect(head?.stats).to.have.property('deletions', 0);
      expect(Object.fromEntries(headers)).to.include({
        'x-total-count': '2',
        'x-total': '2',
        'x-page': '1',
        'x-pagecount': '1',
        'x-hasmore': 'false',
      });
    });

    it('is paged, with a path as without, and empty past its end', async () => {
      const second = await asked('commits?limit=1&page=2');
      expect(hashes(second.json)).to.deep.equal([site.first]);
      expect((await asked('commits?page=9')).json).to.deep.equal([]);
      const first = await asked('commits?limit=1&path=README.md');
      expect(hashes(first.json)).to.deep.equal([site.first]);
      expect(hashes((await asked('commits?limit=1&path=README.md&page=2')).json)).to.deep.equal([]);
    });

    it('begins where it is told, and leaves out what it is told', async () => {
      expect(hashes((await asked('commits?sha=light')).json)).to.deep.equal([site.first]);
      expect(hashes((await asked(`commits?not=${site.first}`)).json)).to.deep.equal([site.head]);
      const { json } = await asked('commits?stat=false&files=false&verification=false');
      const [head] = json as (CommitJson & { commit: { verification: unknown } })[];
      expect([head?.stats, head?.files, head?.commit.verification]).to.deep.equal([null, null, null]);
    });

    it('is 409 in an empty repository and 404 for what is not there', async () => {
      expect((await world.api.anonymous.get('/repos/owner/empty/commits')).status).to.equal(409);
      for (const query of ['sha=absent', 'sha=--all', 'not=absent', 'path=absent', 'path=../x'])
        expect((await asked(`commits?${query}`)).status, query).to.equal(404);
    });
  });

  it('one commit is found by branch, tag and hash; 422 for what is no name, 404 for what is not there', async () => {
    for (const word of ['main', 'feature%2Fone', 'v1', site.head, site.head.slice(0, 9)]) {
      const { status, json } = await asked(`git/commits/${word}`);
      expect([status, (json as CommitJson).sha], word).to.deep.equal([200, site.head]);
    }
    for (const word of ['a..b', '-x', 'a%20b', 'main~1'])
      expect((await asked(`git/commits/${word}`)).status, word).to.equal(422);
    for (const word of ['absent', SUBMODULE])
      expect((await asked(`git/commits/${word}`)).status, word).to.equal(404);
  });

  it('are not found by a tag where there is no branch', async () => {
    const tagged = await world.create('tagged');
    await site.git('push', '--quiet', world.url(tagged, 'owner'), 'v1');
    const tags = await world.owner.get('/repos/owner/tagged/tags');
    expect(tags.json).to.have.lengthOf(1);
    const words = [
      'git/commits/v1',
      'archive/v1.zip',
      'commits/v1/status',
      'commits/v1/statuses',
      'statuses/v1',
    ];
    for (const word of words)
      expect((await world.owner.get(`/repos/owner/tagged/${word}`)).status, word).to.equal(404);
    const reported = await world.owner.post('/repos/owner/tagged/statuses/v1', { state: 'success' });
    expect(reported.status).to.equal(404);
  });

  it('what a commit changed comes as text', async () => {
    const diff = await asked(`git/commits/${site.head}.diff`);
    expect(diff.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(diff.text)
      .to.match(/^diff --git /)
      .and.include('+export {};');
    const patch = await asked('git/commits/main.patch');
    expect(patch.text)
      .to.match(new RegExp(`^From ${site.head} `))
      .and.include('Subject: [PATCH] second');
    expect((await asked(`git/commits/${SUBMODULE}.diff`)).status).to.equal(404);
  });

  it('tags are listed and found, with what they say', async () => {
    const { status, json, headers } = await asked('tags');
    expect([status, headers.get('x-total-count')]).to.deep.equal([200, '2']);
    expect((json as { name: string }[]).map(({ name }) => name).sort()).to.deep.equal(['light', 'v1']);
    const base = `${world.api.url()}/owner/site/archive/v1`;
    expect((await asked('tags/v1')).json).to.deep.include({
      name: 'v1',
      message: 'the first version',
      id: site.tag,
      zipball_url: `${base}.zip`,
      tarball_url: `${base}.tar.gz`,
    });
    for (const address of [`${base}.zip`, `${base}.tar.gz`]) {
      expect((await fetch(address)).headers.get('content-type')).to.match(/^application\/(zip|gzip)$/);
      expect((await fetch(address, { method: 'POST' })).status).to.equal(404);
    }
    expect((await asked('tags/light')).json).to.deep.include({ id: site.first, message: 'first' });
    expect((await asked('tags/absent')).status).to.equal(404);
    expect((await world.api.anonymous.get('/repos/owner/empty/tags')).json).to.deep.equal([]);
  });

  it('tags lead to archives of their own, also where branches have their names', async () => {
    await site.git('push', '--quiet', 'origin', `${site.head}:refs/heads/light`);
    const { json } = await asked('tags/light');
    const listed = (await asked('tags')).json;
    await site.git('push', '--quiet', 'origin', ':refs/heads/light');
    expect(listed).to.deep.include(json);
    const { zipball_url: address } = json as { zipball_url: string };
    const archive = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(archive.includes(site.first), address).to.equal(true);
  });

  it('tags of what is no commit are neither listed nor counted', async () => {
    await site.git('push', '--quiet', 'origin', 'HEAD^{tree}:refs/tags/tree');
    const { json, headers } = await asked('tags');
    await site.git('push', '--quiet', 'origin', ':refs/tags/tree');
    expect((json as { name: string }[]).map(({ name }) => name)).to.have.members(['light', 'v1']);
    expect(headers.get('x-total-count')).to.equal('2');
  });

  it('refs are found by how their names begin', async () => {
    const refs = async (path: string) =>
      ((await asked(path)).json as { ref: string }[]).map(({ ref }) => ref);
    const all = ['refs/heads/feature/one', 'refs/heads/main', 'refs/tags/light', 'refs/tags/v1'];
    expect(await refs('git/refs')).to.deep.equal(all);
    expect(await refs('git/refs/heads')).to.deep.equal(all.slice(0, 2));
    expect(await refs('git/refs/heads/ma')).to.deep.equal(['refs/heads/main']);
    const { json } = await asked('git/refs/tags/v1');
    expect(json).to.have.nested.property('[0].object.type', 'tag');
    expect((await asked('git/refs/heads/absent')).status).to.equal(404);
    expect((await world.api.anonymous.get('/repos/owner/empty/git/refs')).status).to.equal(404);
  });

  it('tags mean what they name, though branches are named as its hash', async () => {
    const named = [site.first, site.tag];
    for (const hash of named) await site.git('push', '--quiet', 'origin', `${site.head}:refs/heads/${hash}`);
    try {
      for (const [tag, hash] of [
        ['light', site.first],
        ['v1', site.head],
      ] as const)
        expect((await asked(`git/commits/${tag}`)).json, tag).to.deep.include({ sha: hash });
      expect((await asked('tags/v1')).json).to.have.nested.property('commit.sha', site.head);
    } finally {
      await site.git('push', '--quiet', 'origin', ...named.map((hash) => `:refs/heads/${hash}`));
    }
  });

  it('tags mean what they name, though an older event does not say what they lead to', async () => {
    const older = await pushedSite(world, 'older');
    await world.api.connections.db.rows(`
      update ${schemaOf(repositories)}.refs set commit_hash = null
      where repository_id = ${older.repository.id} and kind = 'tag'`);
    for (const [tag, hash] of [
      ['light', older.first],
      ['v1', older.head],
    ] as const)
      for (const path of [`git/commits/${tag}`, `commits/${tag}/status`])
        expect((await world.api.anonymous.get(`${older.path}/${path}`)).json, path).to.deep.include({
          sha: hash,
        });
    // Its rows are not what the log makes of it any more, which the world would be told of when it stops.
    expect((await world.api.admin.delete(older.path)).status).to.equal(204);
  });

  it('annotated tags are found by their hash; 400 for what is none', async () => {
    for (const hash of [site.tag, site.tag.toUpperCase()]) {
      const { status, json } = await asked(`git/tags/${hash}`);
      expect(status, hash).to.equal(200);
      expect(json).to.deep.include({ tag: 'v1', sha: site.tag, message: 'the first version\n' });
      expect(json).to.have.nested.property('object.sha', site.head);
    }
    for (const sha of [site.head, SUBMODULE, 'v1', '--all'])
      expect((await asked(`git/tags/${sha}`)).status, sha).to.equal(400);
  });

  it('trees are found by hash or name, in pages, whole or one level deep', async () => {
    const paths = async (query: string) => {
      const { json } = await asked(`git/trees/${query}`);
      const { tree, ...rest } = json as { tree: { path: string }[]; truncated: boolean; total_count: number };
      return { paths: tree.map(({ path }) => path), ...rest };
    };
    expect((await paths(site.head)).paths).to.include.members(['README.md', 'src', 'vendor']);
    expect((await paths('main?recursive=true')).paths).to.include.members(['src/deep/a b.txt', 'vendor/lib']);
    const part = await paths('main?per_page=2&page=2');
    expect(part).to.deep.include({ paths: ['README.md', 'link'], truncated: true, page: 2, total_count: 7 });
    const deep = (await site.git('rev-parse', 'main:src/deep')).trim();
    for (const name of ['main:src%2Fdeep', `${site.head}:src%2Fdeep`, deep, deep.toUpperCase()])
      expect((await asked(`git/trees/${name}`)).json, name).to.deep.include({ sha: deep, total_count: 1 });
    expect((await paths('main:')).paths).to.include.members(['README.md', 'src', 'vendor']);
    for (const sha of ['main:absent', 'main:README.md', 'absent:src', ':src', `${'f'.repeat(40)}:src`])
      expect((await asked(`git/trees/${sha}`)).status, sha).to.equal(400);
    for (const sha of ['absent', SUBMODULE, '--all', 'f'.repeat(40)])
      expect((await asked(`git/trees/${sha}`)).status, sha).to.equal(400);
  });

  it('blobs are found by their hash; 400 for what is none', async () => {
    const sha = (await site.git('rev-parse', 'main:pixel.png')).trim();
    for (const hash of [sha, sha.toUpperCase()]) {
      const { status, json } = await asked(`git/blobs/${hash}`);
      expect(status, hash).to.equal(200);
      expect(json).to.deep.equal({
        sha,
        size: PIXEL.length,
        encoding: 'base64',
        content: PIXEL.toString('base64'),
        url: `${world.api.url()}/api/v1${site.path}/git/blobs/${sha}`,
      });
    }
    for (const other of [site.head, SUBMODULE, 'main', '--all'])
      expect((await asked(`git/blobs/${other}`)).status, other).to.equal(400);
  });
});
