import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { gitWorld, sorted, type GitWorld, type TestRepository } from './world.js';

/** The file that whatever is taken for an order makes, wherever it runs. */
const MARKER = 'tallyforge-was-told';

describe('what is pushed to be taken for an order', () => {
  let world: GitWorld;
  let name: string;
  let repository: TestRepository;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    name = `hostile-${(count += 1)}`;
    repository = await world.create(name);
    await world.client.working(name);
    await world.client.git(['remote', 'add', 'origin', world.url(repository, 'owner')], { in: name });
    await world.client.git(['push', '--quiet', 'origin', 'main'], { in: name });
  });
  afterEach(async () => {
    expect(existsSync(MARKER)).to.equal(false);
    for (const place of [world.dataDir, world.client.folder]) {
      const files = await readdir(place, { recursive: true });
      expect(files.filter((path) => basename(path) === MARKER)).to.deep.equal([]);
    }
  });

  const git = (...args: string[]) => world.client.git(args, { in: name });
  const asked = (path: string) => world.owner.get(`/repos/owner/${name}/${path}`);
  const OPTIONS = [
    `--output=${MARKER}`,
    `--upload-pack=touch\${IFS}${MARKER}`,
    `--exec=touch\${IFS}${MARKER}`,
    '-d',
    '--all',
    '--stdin',
    '--',
    '-',
  ];

  it('has no ref whose name begins as an option, and none that is taken for one', async () => {
    const hash = await git('rev-parse', 'HEAD');
    const before = sorted(await world.disk.refs(repository.id));
    for (const option of OPTIONS) {
      const refs = [`refs/heads/${option}`, `refs/tags/${option}`];
      const { code, stderr } = await world.client.run(
        ['push', 'origin', ...refs.map((ref) => `main:${ref}`)],
        { in: name },
      );
      expect(code, option).to.equal(1);
      expect(stderr.match(/is no name for a branch or tag/g), option).to.have.length(2);
      const word = encodeURIComponent(option);
      for (const path of [`contents?ref=${word}`, `commits?sha=${word}`, `archive/${word}.tar.gz`])
        expect((await asked(path)).status, path).to.equal(404);
      expect((await asked(`git/trees/${word}`)).status, option).to.equal(400);
      expect((await asked(`branches/${word}`)).status, option).to.equal(404);
    }
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal(before);

    const below = OPTIONS.map((option) => `x/${option}`);
    await git('push', '--quiet', 'origin', ...below.map((branch) => `main:refs/heads/${branch}`));
    for (const branch of below) {
      const word = encodeURIComponent(branch);
      const { json } = await asked(`branches/${word}`);
      expect(json, branch).to.deep.include({ name: branch }).and.have.nested.property('commit.id', hash);
      for (const path of [`contents?ref=${word}`, `commits?sha=${word}`, `archive/${word}.tar.gz`])
        expect((await asked(path)).status, path).to.equal(200);
      await world.client.git(['fetch', '--quiet', 'origin', `refs/heads/${branch}`], { in: name });
      const deleted = await world.owner.delete(`/repos/owner/${name}/branches/${word}`);
      expect(deleted.status, branch).to.equal(204);
    }
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal(before);
  });

  it('has no option in what the API is asked to make a branch or tag of', async () => {
    for (const option of OPTIONS) {
      const branches = `/repos/owner/${name}/branches`;
      const post = async (path: string, body: object) => (await world.owner.post(path, body)).status;
      expect(await post(branches, { new_branch_name: option }), option).to.equal(422);
      expect(await post(branches, { new_branch_name: 'a', old_ref_name: option }), option).to.equal(404);
      expect(await post(`/repos/owner/${name}/tags`, { tag_name: option }), option).to.equal(422);
      expect(await post(`/repos/owner/${name}/tags`, { tag_name: 'a', target: option }), option).to.equal(
        404,
      );
      const renamed = await world.owner.patch(`${branches}/main`, { name: option });
      expect(renamed.status, option).to.equal(422);
    }
  });

  it('has no option and no pattern in the path of a file', async () => {
    for (const path of [...OPTIONS, '-x/--all', ':(exclude)*', ':/x', '*', '$(touch x)', 'a\nb', '@{0}']) {
      const place = path.split('/').map(encodeURIComponent).join('/');
      const at = `/repos/owner/${name}/contents/${place}`;
      const made = await world.owner.post(at, { content: '', message: path });
      expect(made.status, path).to.equal(201);
      const { json } = await world.owner.get(at);
      expect(json, path).to.include({ path, type: 'file' });
      expect((await asked(`raw/${place}`)).status, path).to.equal(200);
      const history = await asked(`commits?path=${encodeURIComponent(path)}`);
      expect(history.json, path).to.have.length(1);
      const { sha } = json as { sha: string };
      expect((await world.owner.put(at, { content: 'eA==', sha })).status, path).to.equal(200);
    }
    expect((await asked('archive/main.zip')).status).to.equal(200);
    await git('pull', '--quiet', 'origin', 'main');
  });

  it('has no hook and no setting of a repository in its files', async () => {
    const shell = `touch ${MARKER}`;
    const hook = `#!/bin/sh\n${shell}\nexit 1\n`;
    const hooks = [
      'pre-receive',
      'update',
      'proc-receive',
      'post-receive',
      'post-update',
      'reference-transaction',
    ];
    const settings = [
      `[core]\n\thooksPath = hooks\n\tfsmonitor = ${shell}\n\tsshCommand = ${shell}\n\tpager = ${shell}`,
      `[diff "x"]\n\ttextconv = ${shell}\n\tcommand = ${shell}`,
      `[filter "x"]\n\tsmudge = ${shell}\n\tclean = ${shell}`,
      `[tar "tar.gz"]\n\tcommand = ${shell}`,
      `[uploadpack]\n\tpackObjectsHook = ${shell}`,
      '[include]\n\tpath = config\n',
    ].join('\n');
    for (const folder of ['hooks', '.githooks', 'objects', 'refs'])
      await mkdir(join(world.client.folder, name, folder), { recursive: true });
    const files = hooks.flatMap((file) => [`hooks/${file}`, `.githooks/${file}`]);
    await world.client.commit(name, {
      ...Object.fromEntries(files.map((path) => [path, hook])),
      // As a bare repository has them, beside what git and its tools look for in a work tree.
      ...{ HEAD: 'ref: refs/heads/main\n', 'objects/info': '', 'refs/heads': '', config: settings },
      ...{
        '.gitconfig': settings,
        '.gitattributes': '* filter=x diff=x merge=x export-subst\n',
        'a.c': '$Format:%H$',
      },
    });
    for (const path of files) await chmod(join(world.client.folder, name, path), 0o755);
    await world.client.commit(name, {}, 'executable');
    const disk = world.disk.pathOf(repository.id);
    const before = await readFile(join(disk, 'config'), 'utf8');
    await git('push', '--quiet', 'origin', 'main', 'main:topic');
    await world.client.commit(name, { 'a.c': 'int x;\n' }, 'again');
    await git('push', '--quiet', 'origin', 'main');

    const sha = await git('rev-parse', 'HEAD');
    for (const path of [
      'archive/main.tar.gz',
      'archive/main.zip',
      'archive/main.bundle',
      'languages',
      'contents/config',
    ])
      expect((await asked(path)).status, path).to.equal(200);
    expect((await asked(`git/commits/${sha}.diff`)).text).to.contain('+int x;');
    expect((await world.owner.post(`/repos/owner/${name}/contents/more`, { content: '' })).status).to.equal(
      201,
    );
    expect((await world.reader.post(`/repos/owner/${name}/forks`, {})).status).to.equal(202);
    await world.client.git(['clone', '--quiet', '--bare', world.url(repository), `${name}.git`]);
    expect(await readFile(join(disk, 'config'), 'utf8')).to.equal(before);
    expect(await readdir(disk)).to.not.include('hooks');
  });
});
