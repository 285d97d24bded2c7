import { expect } from 'chai';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestAnswer } from '../../../support/client.js';
import { gitWorld, sorted, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, SUBMODULE, type Site } from './site.js';

interface FileJson {
  readonly content: { readonly sha: string; readonly path: string; readonly html_url: string } | null;
  readonly commit: {
    readonly sha: string;
    readonly message: string;
    readonly author: { readonly name: string; readonly email: string; readonly date: string };
    readonly committer: { readonly name: string; readonly email: string; readonly date: string };
    readonly parents: readonly { readonly sha: string }[];
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const file = ({ json }: TestAnswer) => json as FileJson;

describe('changes of files over HTTP', () => {
  let world: GitWorld;
  let site: Site;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());

  beforeEach(async () => {
    site = await pushedSite(world, `site-${++count}`);
  });

  /** Disk and log agree in every test, whatever was tried. */
  afterEach(async () => {
    const { refs } = await world.logged(site.repository);
    expect(sorted(await world.disk.refs(site.repository.id))).to.deep.equal(sorted(refs));
  });

  const at = (path: string) => `${site.path}/contents/${path}`;
  const textAt = async (path: string) => (await world.owner.get(`${site.path}/raw/${path}`)).text;
  const shaOf = async (path: string) => (await site.git('rev-parse', `main:${path}`)).trim();
  const tipOf = async (branch: string) => {
    const { json } = await world.owner.get(`${site.path}/branches/${branch}`);
    return (json as { commit: { id: string } }).commit.id;
  };

  it('create a file, which the next read shows, with its history below it', async () => {
    const answer = await world.owner.post(at('new/a.txt'), { content: base64('one\n') });
    expect(answer.status).to.equal(201);
    const { content, commit } = file(answer);
    expect(content).to.include({ path: 'new/a.txt', type: 'file', content: base64('one\n') });
    expect(content?.html_url).to.match(/\/src\/branch\/main\/new\/a\.txt$/);
    expect(commit.message).to.equal('Add new/a.txt\n');
    expect(commit.parents.map(({ sha }) => sha)).to.deep.equal([site.head]);
    expect(commit.author).to.include({ name: 'owner', email: 'owner@example.org' });
    expect(await tipOf('main')).to.equal(commit.sha);
    expect(await textAt('new/a.txt')).to.equal('one\n');
    await site.git('pull', '--quiet', 'origin', 'main');
    expect((await site.git('log', '-1', '--format=%H')).trim()).to.equal(commit.sha);
  });

  it('update a file, its kind kept, and move it', async () => {
    await site.git('update-index', '--chmod=+x', 'src/index.ts');
    await site.git('commit', '--quiet', '-m', 'runs');
    await site.git('push', '--quiet', 'origin', 'main');
    const sha = await shaOf('src/index.ts');
    const updated = await world.owner.put(at('src/index.ts'), { content: base64('2\n'), sha });
    expect([updated.status, file(updated).commit.message]).to.deep.equal([200, 'Update src/index.ts\n']);
    const moved = await world.owner.put(at('lib/index.ts'), {
      sha: file(updated).content?.sha,
      from_path: 'src/index.ts',
      message: 'move',
    });
    expect(moved.status).to.equal(200);
    expect(await textAt('lib/index.ts')).to.equal('2\n');
    expect((await world.owner.get(at('src/index.ts'))).status).to.equal(404);
    await site.git('fetch', '--quiet', 'origin', 'main');
    expect(await site.git('ls-tree', 'FETCH_HEAD', 'lib/')).to.match(/^100755 /);
  });

  it('delete a file, and the directory with its last one', async () => {
    const { status, json } = await world.owner.delete(at('pixel.png'), { sha: await shaOf('pixel.png') });
    expect(status).to.equal(200);
    expect(json).to.include({ content: null });
    expect((json as FileJson).commit.message).to.equal('Delete pixel.png\n');
    expect((await world.owner.get(at('pixel.png'))).status).to.equal(404);
    const sha = await shaOf('src/deep/a b.txt');
    expect((await world.owner.delete(at('src/deep/a%20b.txt'), { sha })).status).to.equal(200);
    expect((await world.owner.get(at('src/deep'))).status).to.equal(404);
  });

  it('make several changes in one commit', async () => {
    const answer = await world.owner.post(`${site.path}/contents`, {
      message: 'all at once',
      files: [
        { operation: 'create', path: 'a', content: base64('a') },
        { operation: 'update', path: 'README.md', content: base64('b'), sha: await shaOf('README.md') },
        { operation: 'delete', path: 'pixel.png', sha: await shaOf('pixel.png') },
        { operation: 'update', path: 'moved', from_path: 'src/index.ts', sha: await shaOf('src/index.ts') },
      ],
    });
    expect(answer.status).to.equal(201);
    const { files, commit } = answer.json as FileJson & { files: ({ path: string } | null)[] };
    expect(files.map((each) => each?.path ?? null)).to.deep.equal(['a', 'README.md', null, 'moved']);
    expect(commit.parents.map(({ sha }) => sha)).to.deep.equal([site.head]);
    expect(await textAt('moved')).to.equal('export {};\n');
  });

  it('echo people and dates, one of them for both, and sign off', async () => {
    const author = { name: 'Grace', email: 'grace@example.org' };
    const dates = { author: '2024-01-02T03:04:05+02:00', committer: '2024-02-03T04:05:06Z' };
    const body = { content: '', author, dates, signoff: true, message: 'hello' };
    const { commit } = file(await world.owner.post(at('a'), body));
    expect(commit.author).to.deep.equal({ ...author, date: '2024-01-02T01:04:05Z' });
    expect(commit.committer).to.deep.equal({ ...author, date: '2024-02-03T04:05:06Z' });
    expect(commit.message).to.equal('hello\n\nSigned-off-by: Grace <grace@example.org>\n');
    const odd = { content: '', author: { ...author, name: ' Hopper, ' } };
    const { commit: kept } = file(await world.owner.post(at('odd'), odd));
    expect(kept.author.name, 'as git keeps it').to.equal('Hopper');
  });

  it('are those of the caller, now, where a client sends all that it was not given as zero', async () => {
    const nobody = { name: '', email: '' };
    const never = '0001-01-01T00:00:00Z';
    const dates = { author: never, committer: never };
    const given = { message: '', branch: '', new_branch: '', author: nobody, committer: nobody, dates };
    const answer = await world.owner.post(at('a'), { ...given, signoff: false, content: '' });
    expect(answer.status).to.equal(201);
    const { author, committer, message } = file(answer).commit;
    expect([author.name, committer, message]).to.deep.equal(['owner', author, 'Add a\n']);
    expect(Date.now() - Date.parse(author.date)).to.be.within(0, 60_000);
    const old = { ...given, content: '', dates: { ...dates, author: '1969-12-31T23:59:59Z' } };
    expect((await world.owner.post(at('b'), old)).status).to.equal(422);
  });

  it('go to another branch, or to a new one', async () => {
    const body = { content: base64('x'), branch: 'feature/one' };
    expect((await world.owner.post(at('x'), body)).status).to.equal(201);
    expect(await tipOf('main')).to.equal(site.head);
    const created = await world.owner.post(at('y'), { ...body, branch: '', new_branch: 'fresh' });
    expect(created.status).to.equal(201);
    expect(file(created).content?.html_url).to.include('/src/branch/fresh/y');
    expect(await tipOf('fresh')).to.equal(file(created).commit.sha);
    expect(await tipOf('main')).to.equal(site.head);
    const again = await world.owner.post(at('z'), { ...body, new_branch: 'fresh' });
    const above = await world.owner.post(at('z'), { ...body, new_branch: 'feature' });
    expect([again.status, above.status]).to.deep.equal([422, 422]);
    const same = { content: base64('x'), branch: 'feature/one', new_branch: 'feature/one' };
    expect((await world.owner.post(at('z'), same)).status).to.equal(201);
    const both = { content: base64('x'), branch: '', new_branch: 'main' };
    const named = await world.owner.post(at('z'), both);
    expect([named.status, await tipOf('main')]).to.deep.equal([201, file(named).commit.sha]);
    expect((await world.owner.post(at('zz'), { ...both, branch: 'fresh' })).status).to.equal(422);
    const sha = await shaOf('README.md');
    expect((await world.owner.delete(at('README.md'), { sha, new_branch: 'fresh' })).status).to.equal(400);
  });

  it('begin an empty repository, whose default branch becomes the one written to', async () => {
    await world.create(`empty-${count}`);
    const empty = `/repos/owner/empty-${count}`;
    expect((await world.owner.put(`${empty}/contents/a`, { content: '', sha: site.head })).status).to.equal(
      422,
    );
    expect((await world.owner.delete(`${empty}/contents/a`, { sha: site.head })).status).to.equal(404);
    const { status, json } = await world.owner.post(`${empty}/contents/a`, { content: '', branch: 'trunk' });
    expect(status).to.equal(201);
    expect((json as FileJson).commit.parents).to.deep.equal([]);
    expect((await world.owner.get(empty)).json).to.include({ empty: false, default_branch: 'trunk' });
  });

  it('are decided one after the other where many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) => world.owner.post(at(`many/${number}`), { content: '' })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(12).fill(201));
    const { json } = await world.owner.get(at('many'));
    expect(json).to.have.length(12);
  });

  it('are for writers: 401 for nobody, 403 for readers, 404 where nothing is to be seen', async () => {
    const hidden = await pushedSite(world, `hidden-${count}`, true);
    const body = { content: '', sha: site.head, files: [] };
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await world.api.anonymous.send(method, at('a'), body)).status).to.equal(401);
      expect((await world.reader.send(method, at('a'), body)).status).to.equal(403);
      expect((await world.reader.send(method, `${hidden.path}/contents/a`, body)).status).to.equal(404);
    }
    expect((await world.reader.post(`${site.path}/contents`, body)).status).to.equal(403);
  });

  it('refuse what does not fit, each in its own way', async () => {
    const sha = await shaOf('README.md');
    const { owner } = world;
    const statuses = async (answers: Promise<TestAnswer>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    const other = SUBMODULE;
    expect(
      await statuses([
        owner.post(at('new'), { content: 'no base64!' }),
        owner.post(at('README.md'), { content: '' }),
        owner.post(at('src'), { content: '' }),
        owner.post(at('link'), { content: '' }),
        owner.post(at('README.md/below'), { content: '' }),
        owner.post(at('new'), { content: '', author: { name: 'a\nb' } }),
        owner.post(at('new'), { content: '', new_branch: '-x' }),
        owner.post(at('new'), { content: '', new_branch: 'a..b' }),
        owner.post(at('new'), { content: '', branch: 'absent' }),
        owner.post(at('.gitmodules.d/.gitmodules'), { content: base64('[submodule "x"]\nurl = -x') }),
      ]),
    ).to.deep.equal([422, 422, 422, 422, 422, 422, 422, 422, 404, 422]);
    expect(
      await statuses([
        owner.put(at('README.md'), { content: '' }),
        owner.put(at('README.md'), { content: '', sha: other }),
        owner.put(at('absent'), { content: '', sha }),
        owner.put(at('src'), { content: '', sha }),
        owner.put(at('link'), { content: '', sha: await shaOf('link') }),
        owner.put(at('pixel.png'), { sha, from_path: 'README.md' }),
        owner.put(at('x'), { sha, from_path: '../README.md' }),
        owner.put(at('README.md/below/it'), { content: '', sha }),
        owner.put(at('link/below'), { content: '', sha }),
        owner.put(at('absent/below'), { content: '', sha }),
        owner.put(at('README.md'), { content: '', sha, branch: 'absent' }),
      ]),
    ).to.deep.equal([422, 422, 404, 422, 422, 422, 422, 422, 422, 404, 404]);
    expect(
      await statuses([
        owner.delete(at('README.md'), {}),
        owner.delete(at('README.md'), { sha: other }),
        owner.delete(at('absent'), { sha }),
        owner.delete(at('src'), { sha }),
        owner.delete(at('vendor/lib'), { sha: SUBMODULE }),
        owner.delete(at('vendor/lib/below'), { sha }),
        owner.delete(at('README.md/below'), { sha }),
        owner.delete(at('src/absent'), { sha }),
        owner.delete(at('.git/config'), { sha }),
        owner.delete(at('README.md'), { sha, branch: 'absent' }),
      ]),
    ).to.deep.equal([422, 400, 404, 400, 400, 400, 400, 404, 400, 404]);
    const twice = ['a', 'a'].map((path) => ({ operation: 'create', path, content: '' }));
    const moved = { operation: 'update', path: 'b', from_path: 'README.md', sha };
    for (const files of [twice, [{ operation: 'delete', path: 'README.md', sha }, moved]])
      expect((await owner.post(`${site.path}/contents`, { files })).status).to.equal(422);
    const { message } = await owner.put(at('README.md'), { content: '', sha: other });
    expect(message).to.include(other).and.include(sha);
    expect(await tipOf('main')).to.equal(site.head);
  });

  it('name the field that does not fit', async () => {
    const { owner } = world;
    const sha = await shaOf('README.md');
    const move = (from_path: string) => owner.put(at('moved'), { content: '', sha, from_path });
    for (const [field, answer] of [
      ['Path', owner.post(at('README.md'), { content: '' })],
      ['Path', owner.post(at('README.md/below'), { content: '' })],
      ['Path', owner.post(at('.git'), { content: '' })],
      ['Path', owner.put(at('pixel.png'), { sha, from_path: 'README.md' })],
      ['FromPath', move('../README.md')],
      ['FromPath', move('src')],
      ['FromPath', move('README.md/below')],
      ['Sha', owner.put(at('README.md'), { content: '', sha: SUBMODULE })],
      ['Sha', owner.post(`${site.path}/contents`, { files: [{ operation: 'delete', path: 'README.md' }] })],
      ['NewBranch', owner.post(at('new'), { content: '', branch: 'main', new_branch: 'main/below' })],
    ] as const) {
      const { status, message } = await answer;
      expect([status, message.slice(0, field.length + 4)]).to.deep.equal([422, `[${field}]: `]);
    }
  });

  it('refuse what is no name for a branch, but not a branch that was pushed under it', async () => {
    const { owner } = world;
    const sha = await shaOf('README.md');
    const create = { operation: 'create', path: 'new', content: '' };
    for (const branch of ['a b', 'a..b', 'x'.repeat(101)])
      for (const answer of [
        owner.post(at('new'), { content: '', branch }),
        owner.post(at('new'), { content: '', branch, new_branch: 'fresh' }),
        owner.put(at('README.md'), { content: '', sha, branch }),
        owner.delete(at('README.md'), { sha, branch }),
        owner.post(`${site.path}/contents`, { files: [create], branch }),
      ]) {
        const { status, message } = await answer;
        expect([status, message]).to.deep.equal([
          422,
          `[Branch]: ${JSON.stringify(branch)} is no name for a branch`,
        ]);
      }
    const branch = 'y'.repeat(101);
    await site.git('push', '--quiet', 'origin', `main:refs/heads/${branch}`);
    expect((await owner.post(at('new'), { content: '', branch })).status).to.equal(201);
    await owner.patch(site.path, { default_branch: branch });
    expect((await owner.post(at('newer'), { content: '' })).status).to.equal(201);
  });

  it('take no path that is git’s own or leads elsewhere, in any disguise', async () => {
    const paths = [
      '.git',
      '.git/config',
      'a/.GIT/hooks/post-receive',
      '.gıt/config',
      '.g\u200cit/config',
      'git~1/config',
      '.git ./config',
      '.git::$INDEX_ALLOCATION/config',
      '..',
      'a/../../b',
      './a',
      'a\\b',
      'a//b',
      '/a',
      'a/',
    ];
    for (const path of paths) {
      const files = [{ operation: 'create', path, content: '' }];
      expect((await world.owner.post(`${site.path}/contents`, { files })).status, path).to.equal(422);
    }
    const nul = [{ operation: 'create', path: 'a\0b', content: '' }];
    expect((await world.owner.post(`${site.path}/contents`, { files: nul })).status).to.equal(422);
    expect(await tipOf('main')).to.equal(site.head);
  });

  it('write neither over a link or a submodule, nor through one, nor below', async () => {
    const { owner } = world;
    const sha = await shaOf('README.md');
    const outside = { 'to-outside': '../../../../etc', 'to-file': '/etc/passwd', 'to-src': 'src' };
    for (const [link, target] of Object.entries(outside))
      await symlink(target, join(world.client.folder, site.repository.name, link));
    const head = await site.push({});
    for (const link of ['link', ...Object.keys(outside), 'vendor/lib']) {
      const own = link === 'vendor/lib' ? SUBMODULE : await shaOf(link);
      const below = `${link}/passwd`;
      for (const [status, answer] of [
        [422, await owner.post(at(link), { content: '' })],
        [422, await owner.put(at(link), { content: '', sha: own })],
        [422, await owner.put(at('moved'), { content: '', sha: own, from_path: link })],
        [422, await owner.put(at(link), { content: '', sha, from_path: 'README.md' })],
        [422, await owner.post(at(below), { content: '' })],
        [422, await owner.put(at(below), { content: '', sha })],
        [422, await owner.put(at(below), { content: '', sha, from_path: 'README.md' })],
        [400, await owner.delete(at(below), { sha })],
        [404, await owner.get(at(below))],
        [404, await owner.get(`${site.path}/raw/${below}`)],
      ] as const)
        expect(answer.status, `${link}: ${answer.text}`).to.equal(status);
      for (const path of [link, below]) {
        const files = [
          { operation: 'create', path: 'beside', content: '' },
          { operation: 'create', path, content: '' },
        ];
        expect((await owner.post(`${site.path}/contents`, { files })).status, path).to.equal(422);
      }
    }
    for (const [link, target] of Object.entries(outside)) {
      expect((await owner.get(at(link))).json).to.deep.include({ type: 'symlink', target, content: null });
      expect((await owner.get(`${site.path}/raw/${link}`)).text).to.equal(target);
    }
    expect(await tipOf('main')).to.equal(head);
  });

  it('keep to the rules of protected branches', async () => {
    const rule = { rule_name: 'main', enable_push: false, unprotected_file_patterns: 'docs/*' };
    await world.owner.post(`${site.path}/branch_protections`, rule);
    const sha = await shaOf('README.md');
    expect((await world.owner.post(at('a'), { content: '' })).status).to.equal(403);
    expect((await world.owner.put(at('README.md'), { content: '', sha })).status).to.equal(403);
    expect((await world.owner.delete(at('README.md'), { sha })).status).to.equal(403);
    expect((await world.owner.post(at('docs/a'), { content: '' })).status).to.equal(201);
    expect((await world.owner.post(at('a'), { content: '', new_branch: 'free' })).status).to.equal(201);
  });

  it('are refused where a branch takes signed commits only, for these have no signature', async () => {
    const rule = { rule_name: 'main', enable_push: true, require_signed_commits: true };
    await world.owner.post(`${site.path}/branch_protections`, rule);
    const { status, json } = await world.owner.post(at('a'), { content: '' });
    expect([status, (json as { message: string }).message]).to.deep.equal([
      403,
      'the branch takes signed commits only, and none is signed here',
    ]);
    expect(await tipOf('main')).to.equal(site.head);
    expect((await world.owner.post(at('a'), { content: '', new_branch: 'free' })).status).to.equal(201);
  });

  it('leave what is archived alone: 423 after 422', async () => {
    await world.owner.patch(site.path, { archived: true });
    expect((await world.owner.post(at('a'), { content: '!' })).status).to.equal(422);
    const sha = await shaOf('README.md');
    for (const [method, path] of [
      ['POST', 'a'],
      ['PUT', 'README.md'],
      ['DELETE', 'README.md'],
    ] as const)
      expect((await world.owner.send(method, at(path), { content: '', sha })).status).to.equal(423);
  });

  it('are refused to the byte where the owner has no room, and leave nothing', async () => {
    const { admin } = world.api;
    const used = async () => {
      const { json } = await admin.get('/admin/users/owner/quota');
      const size = (json as { used: { size: { repos: { public: number } } } }).used.size;
      return size.repos.public;
    };
    const before = await used();
    const limit = async (bytes: number) => {
      const rule = { name: `limit-${count}-${bytes}`, limit: bytes, subjects: ['size:repos:public'] };
      await admin.post('/admin/quota/groups', { name: rule.name, rules: [rule] });
      await admin.put(`/admin/quota/groups/${rule.name}/users/owner`);
      return () => admin.delete(`/admin/quota/groups/${rule.name}/users/owner`);
    };
    const unlimited = await limit(before + 10);
    try {
      const answer = await world.owner.post(at('big'), { content: base64('more than ten bytes') });
      expect(answer.status).to.equal(413);
      expect(answer.json).to.include({ user_id: world.owner.id, username: 'owner' });
      expect((await world.owner.post(at('README.md'), { content: '' })).status).to.equal(422);
      expect((await world.reader.post(at('big'), { content: '' })).status).to.equal(403);
      expect(await used()).to.equal(before);
      expect(await tipOf('main')).to.equal(site.head);
    } finally {
      await unlimited();
    }
    const emptied = await limit(0);
    try {
      const sha = 'f'.repeat(40);
      expect((await world.owner.post(at('README.md'), { content: '' })).status).to.equal(413);
      expect((await world.owner.put(at('README.md'), { content: '', sha })).status).to.equal(413);
      const main = { new_branch_name: 'main' };
      expect((await world.owner.post(`${site.path}/branches`, main)).status).to.equal(413);
      const created = { operation: 'create', path: 'new', content: '' };
      for (const wrong of [
        { files: [{ operation: 'update', path: 'README.md', content: '' }] },
        { files: [{ ...created, path: '.git/config' }] },
        { files: [created, created] },
        { files: [created], new_branch: 'a..b' },
      ])
        expect((await world.owner.post(`${site.path}/contents`, wrong)).status).to.equal(422);
    } finally {
      await emptied();
    }
    expect((await world.owner.post(at('big'), { content: base64('now') })).status).to.equal(201);
    expect(await used()).to.be.greaterThan(before);
  });
});
