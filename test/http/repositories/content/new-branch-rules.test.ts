import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, type Site } from './site.js';

/** What the branch `side` differs in from `main`, which has both kinds of files already. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  protected: '.ci/run.yml',
  free: 'docs/more.md',
  other: 'src/more.ts',
};

describe('the rule of a new branch judges all that differs from the default branch', () => {
  let world: GitWorld;
  let site: Site;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());

  beforeEach(async () => {
    site = await pushedSite(world, `new-${++count}`);
    for (const folder of ['.ci', 'docs'])
      await mkdir(join(world.client.folder, site.repository.name, folder));
    await site.push({ '.ci/old.yml': 'old', 'docs/old.md': 'old' });
    const rules = [
      { rule_name: 'doc/*', enable_push: false, unprotected_file_patterns: 'docs/**' },
      { rule_name: 'pf/*', enable_push: true, protected_file_patterns: '.ci/**' },
    ];
    for (const rule of rules)
      expect((await world.owner.post(`${site.path}/branch_protections`, rule)).status).to.equal(201);
  });

  /** Pushes a branch `side` that differs from `main` in these files. */
  const differIn = async (...kinds: string[]) => {
    await site.git('switch', '--quiet', '--create', 'side');
    const files = Object.fromEntries(kinds.map((kind) => [DIFFERENCES[kind] ?? '', kind]));
    await world.client.commit(site.repository.name, files, 'side');
    await site.git('push', '--quiet', 'origin', 'side');
  };

  /** Whether a branch that begins at `from` may be pushed, asked for, and made with a commit of a file. */
  const waysTo = async (folder: string, from: string, path = 'docs/written.md') => {
    const pushed = await world.client.run(
      ['push', '--quiet', 'origin', `${from}:refs/heads/${folder}/push`],
      {
        in: site.repository.name,
      },
    );
    const made = { new_branch_name: `${folder}/made`, old_ref_name: from };
    const written = { content: 'eA==', branch: from, new_branch: `${folder}/written` };
    return [
      pushed.code === 0,
      (await world.owner.post(`${site.path}/branches`, made)).status,
      (await world.owner.post(`${site.path}/contents/${path}`, written)).status,
    ];
  };

  it('begun at the default branch, protected files or not', async () => {
    expect(await waysTo('pf', 'main')).to.deep.equal([true, 201, 201]);
    expect(await waysTo('doc', 'main')).to.deep.equal([false, 403, 201]); // nothing differs until the file is written
  });

  it('protected files, whichever commit changed them', async () => {
    await differIn('protected');
    expect(await waysTo('pf', 'side')).to.deep.equal([false, 403, 403]);
    expect(await waysTo('doc', 'side')).to.deep.equal([false, 403, 403]);
  });

  it('unprotected files alone', async () => {
    await differIn('free');
    expect(await waysTo('doc', 'side')).to.deep.equal([true, 201, 201]);
    expect(await waysTo('pf', 'side')).to.deep.equal([true, 201, 201]);
  });

  it('unprotected files with others', async () => {
    await differIn('free', 'other');
    expect(await waysTo('doc', 'side')).to.deep.equal([false, 403, 403]);
    expect(await waysTo('pf', 'side')).to.deep.equal([true, 201, 201]);
  });

  it('the files of the commit that makes it as well', async () => {
    expect(await waysTo('pf', 'main', '.ci/new.yml')).to.deep.equal([true, 201, 403]);
    expect(await waysTo('doc', 'main', 'src/new.ts')).to.deep.equal([false, 403, 403]);
  });

  it('everything, where there is no default branch yet', async () => {
    const { repository } = site;
    const empty = await world.create(`empty-${count}`);
    const rule = { rule_name: 'pf/*', enable_push: true, protected_file_patterns: '.ci/**' };
    await world.owner.post(`/repos/owner/${empty.name}/branch_protections`, rule);
    const target = world.url(empty, 'owner');
    const { stderr } = await world.client.run(['push', '--quiet', target, 'main:pf/one'], {
      in: repository.name,
    });
    expect(stderr).to.contain('protected from changes to .ci/old.yml');
    await site.git('push', '--quiet', target, `${site.first}:refs/heads/pf/one`);
  });
});
