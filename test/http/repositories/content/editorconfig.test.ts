import { expect } from 'chai';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, type Site } from './site.js';

describe('EditorConfig over HTTP', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
  });
  after(() => world.stop());

  const asked = (path: string, base = site.path) => world.api.anonymous.get(`${base}/editorconfig/${path}`);

  it('says what the root file gives to a file, whether it exists or not', async () => {
    const { status, json } = await asked('absent.py');
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ indent_size: '4', tab_width: 4 });
  });

  it('takes paths of several parts, raw or encoded', async () => {
    const deep = { indent_size: '2', tab_width: 2, charset: 'utf-8' };
    expect((await asked('src/deep/x.ts')).json).to.deep.equal(deep);
    expect((await asked('src%2Fdeep%2Fx.ts')).json).to.deep.equal(deep);
  });

  it('reads the file of the ref that is asked for', async () => {
    for (const ref of ['main', 'feature/one', 'v1', site.head.slice(0, 8), ''])
      expect((await asked(`a?ref=${ref}`)).json, ref).to.deep.equal({ indent_size: '2', tab_width: 2 });
    expect((await asked(`a?ref=${site.first}`)).status).to.equal(404);
  });

  it('is {} where no section matches', async () => {
    const bare = await pushedSite(world, 'bare');
    await bare.push({ '.editorconfig': '[*.py]\nindent_size = 4\n' });
    const { status, text } = await asked('a.ts', bare.path);
    expect([status, text]).to.deep.equal([200, '{}']);
  });

  it('is 404 without a file, for unknown refs, in an empty repository, and for what is no path', async () => {
    const { name } = await world.create('empty');
    expect((await asked('a', `/repos/owner/${name}`)).status).to.equal(404);
    const paths = ['a?ref=absent', 'a?ref=--all', '..%2F..%2Fetc%2Fpasswd', 'a%2F..%2Fb', 'a'.repeat(4_097)];
    for (const path of paths) expect((await asked(path)).status, path).to.equal(404);
  });

  it('does not follow a link to elsewhere', async () => {
    const linked = await pushedSite(world, 'linked');
    await linked.git('rm', '--quiet', '.editorconfig');
    const target = await world.client.object('linked', 'blob', Buffer.from('/etc/hostname'));
    await linked.git('update-index', '--add', '--cacheinfo', `120000,${target.trim()},.editorconfig`);
    await linked.git('commit', '--quiet', '-m', 'a link');
    await linked.git('push', '--quiet', 'origin', 'main');
    expect((await asked('a', linked.path)).status).to.equal(404);
  });

  it('gives up on patterns that take forever', async () => {
    const hostile = await pushedSite(world, 'hostile');
    await hostile.push({ '.editorconfig': `[${'*a'.repeat(30)}b]\nindent_size = 4\n` });
    expect((await asked(`${'a'.repeat(60)}c`, hostile.path)).status).to.equal(422);
    expect((await asked('a.py')).status).to.equal(200);
  });
});
