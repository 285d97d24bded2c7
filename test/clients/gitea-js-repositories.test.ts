import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Repository } from 'gitea-js';
import { forkRoutes } from '../../src/http/repositories/forks.js';
import { repositoryRoutes } from '../../src/http/repositories/routes.js';
import { gitClient, type GitClient } from '../git-http/client.js';
import { PASSWORD, startApi, type TestApi } from '../support/api.js';
import { startGitServer, type GitServer } from '../support/git-server.js';
import { newKey } from '../support/public-keys.js';
import { drivingClient, refused, type Gitea } from './driving.js';

const execute = promisify(execFile);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const namesOf = (repositories: readonly Repository[]) => repositories.map((one) => one.full_name);

const EDITORCONFIG = 'root = true\n[*.js]\nindent_style = space\nindent_size = 2\n';
const COUNT = 'export const count = 1;\n';

/** One story: each step goes on where the one before it ended. The last one tells whether it told everything. */
describe('repositories through gitea-js', () => {
  const driven = new Set<string>();
  let api: TestApi;
  let client: GitClient;
  let server: GitServer;
  let asRoot: Gitea;
  let asAda: Gitea;
  let asGrace: Gitea;
  /** The first commit of `ada/engine`. */
  let first: string;

  before(async () => {
    [api, client, server] = await Promise.all([
      startApi({ config: { allowLocalNetworks: true } }),
      gitClient(),
      startGitServer(),
    ]);
    await Promise.all(['ada', 'grace'].map((name) => api.createUser(name)));
    const as = async (name: string) =>
      drivingClient(api.url(), (await api.createToken(name, 'all')).token, driven);
    [asRoot, asAda, asGrace] = [await as('root'), await as('ada'), await as('grace')];
    await asAda.orgs.orgCreate({ username: 'engines' });
  });
  after(async () => {
    await Promise.all([api.stop(), server.stop()]);
    await client.remove();
  });

  const ENGINE = ['ada', 'engine'] as const;
  const engine = async () => (await asAda.repos.repoGet(...ENGINE)).data;
  const tip = async (branch = 'main') => {
    const { data } = await asAda.repos.repoGetBranch(...ENGINE, branch);
    return String(data.commit?.id);
  };
  const text = (content: string | undefined) => Buffer.from(String(content), 'base64').toString();
  const remote = () => {
    const url = new URL('/ada/engine.git', api.url());
    [url.username, url.password] = ['ada', PASSWORD];
    return url.href;
  };

  it('are made for oneself, for an organization, and by an administrator for anybody', async () => {
    const { data: own } = await asAda.user.createCurrentUserRepo({ name: 'engine', default_branch: 'main' });
    expect(own).to.include({ full_name: 'ada/engine', private: false, empty: true, default_branch: 'main' });
    const { data: secret } = await asAda.user.createCurrentUserRepo({ name: 'diary', private: true });
    expect(secret).to.include({ full_name: 'ada/diary', private: true });
    const { data: ofAll } = await asAda.orgs.createOrgRepo('engines', {
      name: 'difference',
      auto_init: true,
      readme: 'Default',
      license: 'MIT',
    });
    expect(ofAll).to.include({ full_name: 'engines/difference', empty: false });
    // oxlint-disable-next-line typescript/no-deprecated -- old clients call it
    const { data: old } = await asAda.org.createOrgRepoDeprecated('engines', { name: 'analytical' });
    expect(old).to.include({ full_name: 'engines/analytical' });
    const { data: given } = await asRoot.admin.adminCreateRepo('grace', { name: 'compiler', private: true });
    expect([given.full_name, given.owner?.login]).to.deep.equal(['grace/compiler', 'grace']);
    const again = await refused(asAda.user.createCurrentUserRepo({ name: 'Engine' }));
    expect(again.status).to.equal(409);
    expect((await refused(asGrace.admin.adminCreateRepo('ada', { name: 'x' }))).status).to.equal(403);
  });

  it('take a push, and show what is in it', async () => {
    await client.working('engine', { 'README.md': '# Engine\n', '.editorconfig': EDITORCONFIG });
    first = await client.git(['rev-parse', 'HEAD'], { in: 'engine' });
    await client.git(['push', '--quiet', remote(), 'main'], { in: 'engine' });
    expect(await engine()).to.include({ empty: false, default_branch: 'main' });
    expect(await tip()).to.equal(first);
  });

  it('are found by name, by id, and in the lists of their owners, by those who may see them', async () => {
    const { id, ...rest } = await engine();
    const { data: byId } = await asAda.repositories.repoGetById(Number(id));
    expect(byId).to.deep.equal({ id, ...rest });
    expect(rest).to.deep.include({
      full_name: 'ada/engine',
      permissions: { admin: true, push: true, pull: true },
    });
    const { data: mine, headers } = await asAda.user.userCurrentListRepos();
    const all = ['ada/engine', 'ada/diary', 'engines/difference', 'engines/analytical'];
    expect(namesOf(mine)).to.have.members(all);
    expect(headers.get('x-total-count')).to.equal('4');
    expect(namesOf((await asAda.users.userListRepos('ada')).data)).to.have.members([
      'ada/engine',
      'ada/diary',
    ]);
    expect(namesOf((await asGrace.users.userListRepos('ada')).data)).to.deep.equal(['ada/engine']);
    expect(namesOf((await asGrace.orgs.orgListRepos('engines', { limit: 1 })).data)).to.have.length(1);
    const { data: found } = await asGrace.repos.repoSearch({ q: 'ENGIN' });
    expect([found.ok, namesOf(found.data ?? [])]).to.deep.equal([true, ['ada/engine']]);
    expect((await refused(asGrace.repos.repoGet('ada', 'diary'))).status).to.equal(404);
  });

  it('are edited, and found by their former name', async () => {
    const { data: edited } = await asAda.repos.repoEdit('ada', 'diary', {
      name: 'journal',
      description: 'of days',
      has_wiki: false,
    });
    expect(edited).to.include({ full_name: 'ada/journal', description: 'of days', private: true });
    expect((await asAda.repos.repoGet('ada', 'diary')).data.full_name).to.equal('ada/journal');
    const { data: again } = await asAda.user.createCurrentUserRepo({ name: 'diary' });
    expect((await asAda.repos.repoGet('ada', 'diary')).data.id).to.equal(again.id);
  });

  it('are read by path, raw, and as archives', async () => {
    const { data: listed } = await asAda.repos.repoGetContentsList(...ENGINE);
    expect(listed.map(({ name, type }) => [name, type])).to.deep.equal([
      ['.editorconfig', 'file'],
      ['README.md', 'file'],
    ]);
    const { data: file } = await asAda.repos.repoGetContents(...ENGINE, 'README.md');
    expect([file.type, text(file.content)]).to.deep.equal(['file', '# Engine\n']);
    const raw = { format: 'text' } as const;
    for (const read of [asAda.repos.repoGetRawFile, asAda.repos.repoGetRawFileOrLfs])
      expect((await read(...ENGINE, 'README.md', { ref: first }, raw)).data).to.equal('# Engine\n');
    const { data: style } = await asAda.repos.repoGetEditorConfig(...ENGINE, 'deep/x.js');
    expect(style).to.include({ indent_style: 'space', indent_size: '2' });
    const bytes = { format: 'arrayBuffer' } as const;
    const { data: archive } = await asAda.repos.repoGetArchive(...ENGINE, 'main.tar.gz', bytes);
    const path = join(client.folder, 'engine.tar.gz');
    await writeFile(path, Buffer.from(archive as unknown as ArrayBuffer));
    const { stdout } = await execute('tar', ['-xzOf', path, 'engine/README.md']);
    expect(stdout).to.equal('# Engine\n');
  });

  it('have files created, updated, moved and deleted, in commits of whoever asks', async () => {
    const { data: made } = await asAda.repos.repoCreateFile(...ENGINE, 'src/count.js', {
      content: base64(COUNT),
      message: 'count',
    });
    expect([made.content?.path, made.commit?.message?.trim(), made.commit?.author?.name]).to.deep.equal([
      'src/count.js',
      'count',
      'ada',
    ]);
    expect(await tip()).to.equal(made.commit?.sha);
    const { data: updated } = await asAda.repos.repoUpdateFile(...ENGINE, 'src/total.js', {
      content: base64(COUNT.replace('1', '2')),
      from_path: 'src/count.js',
      sha: String(made.content?.sha),
    });
    expect(updated.content?.path).to.equal('src/total.js');
    const { data: several } = await asAda.repos.repoChangeFiles(...ENGINE, {
      message: 'several',
      files: [
        { operation: 'create', path: 'a', content: base64('a') },
        { operation: 'create', path: 'b', content: base64('b') },
      ],
    });
    expect(several.files?.map(({ path }) => path)).to.deep.equal(['a', 'b']);
    const [one] = several.files ?? [];
    const { data: gone } = await asAda.repos.repoDeleteFile(...ENGINE, 'a', { sha: String(one?.sha) });
    expect(gone.content).to.equal(null);
    expect(await tip()).to.equal(gone.commit?.sha);
    const { data: left } = await asAda.repos.repoGetContentsList(...ENGINE);
    expect(left.map(({ name }) => name)).to.deep.equal(['.editorconfig', 'README.md', 'b', 'src']);
    const stale = await refused(
      asAda.repos.repoUpdateFile(...ENGINE, 'b', { content: '', sha: String(one?.sha) }),
    );
    expect(stale.status).to.equal(422);
    await client.git(['pull', '--quiet', remote(), 'main'], { in: 'engine' });
    expect(await client.git(['rev-parse', 'HEAD'], { in: 'engine' })).to.equal(gone.commit?.sha);
  });

  it('tell their languages', async () => {
    const { data } = await asAda.repos.repoGetLanguages(...ENGINE);
    expect(data).to.deep.equal({ JavaScript: COUNT.length });
  });

  it('have branches, made, renamed and deleted', async () => {
    const { data: made } = await asAda.repos.repoCreateBranch(...ENGINE, {
      new_branch_name: 'topic/one',
      old_ref_name: first,
    });
    expect([made.name, made.commit?.id]).to.deep.equal(['topic/one', first]);
    await asAda.repos.repoUpdateBranch(...ENGINE, 'topic/one', { name: 'topic/two' });
    expect((await refused(asAda.repos.repoGetBranch(...ENGINE, 'topic/one'))).status).to.equal(404);
    expect(await tip('topic/two')).to.equal(first);
    const { data: branches } = await asAda.repos.repoListBranches(...ENGINE);
    expect(branches.map(({ name }) => name)).to.deep.equal(['main', 'topic/two']);
    await asAda.repos.repoDeleteBranch(...ENGINE, 'topic/two');
    expect(await client.git(['ls-remote', '--heads', remote()])).to.equal(`${await tip()}\trefs/heads/main`);
    const kept = await refused(asAda.repos.repoDeleteBranch(...ENGINE, 'main'));
    expect(kept.status).to.equal(403);
  });

  it('have branches protected, from pushes as well', async () => {
    const { data: rule } = await asAda.repos.repoCreateBranchProtection(...ENGINE, {
      rule_name: 'release/*',
      enable_push: false,
    });
    expect(rule).to.include({ rule_name: 'release/*', enable_push: false });
    const { data: rules } = await asAda.repos.repoListBranchProtection(...ENGINE);
    expect(rules).to.deep.equal([rule]);
    const push = () => client.run(['push', remote(), 'main:release/1'], { in: 'engine' });
    expect((await push()).stderr).to.contain('the branch is protected from pushes');
    const { data: edited } = await asAda.repos.repoEditBranchProtection(...ENGINE, 'release/*', {
      enable_push: true,
    });
    expect(edited.enable_push).to.equal(true);
    expect((await asAda.repos.repoGetBranchProtection(...ENGINE, 'release/*')).data).to.deep.equal(edited);
    expect((await push()).code).to.equal(0);
    await asAda.repos.repoDeleteBranchProtection(...ENGINE, 'release/*');
    expect((await asAda.repos.repoListBranchProtection(...ENGINE)).data).to.deep.equal([]);
  });

  it('have commits, trees, blobs, tags and refs', async () => {
    const head = await tip();
    const { data: commits } = await asAda.repos.repoGetAllCommits(...ENGINE, { limit: 50 });
    expect(commits.map(({ commit }) => commit?.message?.trim())).to.deep.equal([
      'Delete a',
      'several',
      'Update src/total.js',
      'count',
      'first',
    ]);
    const { data: commit } = await asAda.repos.repoGetSingleCommit(...ENGINE, head);
    expect([commit.sha, commit.files?.map(({ filename }) => filename)]).to.deep.equal([head, ['a']]);
    const { data: tree } = await asAda.repos.getTree(...ENGINE, head, { recursive: true });
    expect(tree.tree?.map(({ path }) => path)).to.include.members(['src', 'src/total.js', 'b']);
    const entry = tree.tree?.find(({ path }) => path === 'b');
    const { data: blob } = await asAda.repos.getBlob(...ENGINE, String(entry?.sha));
    expect(text(blob.content)).to.equal('b');

    const { data: tag } = await asAda.repos.repoCreateTag(...ENGINE, {
      tag_name: 'v1',
      message: 'the first',
      target: first,
    });
    expect([tag.name, tag.message?.trim(), tag.commit?.sha]).to.deep.equal(['v1', 'the first', first]);
    expect((await asAda.repos.repoGetTag(...ENGINE, 'v1')).data).to.deep.equal(tag);
    expect((await asAda.repos.repoListTags(...ENGINE)).data).to.deep.equal([tag]);
    const { data: annotated } = await asAda.repos.getAnnotatedTag(...ENGINE, String(tag.id));
    expect([annotated.tag, annotated.object?.sha]).to.deep.equal(['v1', first]);
    const { data: refs } = await asAda.repos.repoListAllGitRefs(...ENGINE);
    expect(refs.map(({ ref, object }) => [ref, object?.sha])).to.deep.equal([
      ['refs/heads/main', head],
      ['refs/heads/release/1', head],
      ['refs/tags/v1', tag.id],
    ]);
    const { data: some } = await asAda.repos.repoListGitRefs(...ENGINE, 'tags');
    expect(some.map(({ ref }) => ref)).to.deep.equal(['refs/tags/v1']);
    await asAda.repos.repoDeleteTag(...ENGINE, 'v1');
    expect((await asAda.repos.repoListTags(...ENGINE)).data).to.deep.equal([]);
  });

  it('have statuses of their commits, one by one and together', async () => {
    const report = async (state: string, context: string) => {
      const { data } = await asAda.repos.repoCreateStatus(...ENGINE, first, { state, context });
      return data;
    };
    expect(await report('success', 'lint')).to.include({ status: 'success', context: 'lint' });
    await report('pending', 'test');
    const { data: together } = await asAda.repos.repoGetCombinedStatusByRef(...ENGINE, first);
    expect(together).to.include({ state: 'pending', sha: first, total_count: 2 });
    const failed = await report('failure', 'test');
    expect((await asAda.repos.repoGetCombinedStatusByRef(...ENGINE, first)).data.state).to.equal('failure');
    // Where gitea-js expects a list, the specification has what the other address answers.
    const { data: same } = await asAda.repos.repoListStatusesByRef(...ENGINE, first);
    expect(same).to.include({ state: 'failure', total_count: 2 });
    const { data: every } = await asAda.repos.repoListStatuses(...ENGINE, first);
    expect(every.map(({ status }) => status)).to.have.members(['success', 'pending', 'failure']);
    const { data: failures } = await asAda.repos.repoListStatuses(...ENGINE, first, { state: 'failure' });
    expect(failures).to.deep.equal([failed]);
  });

  it('have collaborators, who may what they were given', async () => {
    const { repos } = asAda;
    const write = () => refused(asGrace.repos.repoCreateFile(...ENGINE, 'hers', { content: '' }));
    expect((await refused(repos.repoCheckCollaborator(...ENGINE, 'grace'))).status).to.equal(404);
    expect((await write()).status).to.equal(403);
    await repos.repoAddCollaborator(...ENGINE, 'grace', { permission: 'write' });
    expect((await repos.repoCheckCollaborator(...ENGINE, 'grace')).status).to.equal(204);
    const { data: people } = await repos.repoListCollaborators(...ENGINE);
    expect(people.map(({ login }) => login)).to.deep.equal(['grace']);
    const { data: rights } = await repos.repoGetRepoPermissions(...ENGINE, 'grace');
    expect([rights.permission, rights.user?.login]).to.deep.equal(['write', 'grace']);
    const { data: assignees } = await repos.repoGetAssignees(...ENGINE);
    expect(assignees.map(({ login }) => login)).to.have.members(['ada', 'grace']);
    const { data: made } = await asGrace.repos.repoCreateFile(...ENGINE, 'hers', { content: '' });
    expect(made.commit?.author?.name).to.equal('grace');
    await repos.repoDeleteCollaborator(...ENGINE, 'grace');
    expect((await repos.repoListCollaborators(...ENGINE)).data).to.deep.equal([]);
    expect((await write()).status).to.equal(403);
  });

  it('have deploy keys', async () => {
    const { data: key } = await asAda.repos.repoCreateKey(...ENGINE, {
      title: 'ci',
      key: newKey(),
      read_only: true,
    });
    expect(key).to.include({ title: 'ci', read_only: true });
    expect((await asAda.repos.repoListKeys(...ENGINE)).data).to.deep.equal([key]);
    expect((await asAda.repos.repoGetKey(...ENGINE, Number(key.id))).data).to.deep.equal(key);
    await asAda.repos.repoDeleteKey(...ENGINE, Number(key.id));
    expect((await asAda.repos.repoListKeys(...ENGINE)).data).to.deep.equal([]);
  });

  it('have topics, by which they are found', async () => {
    await asAda.repos.repoUpdateTopics(...ENGINE, { topics: ['brass', 'steam'] });
    await asAda.repos.repoAddTopic(...ENGINE, 'computing');
    await asAda.repos.repoDeleteTopic(...ENGINE, 'steam');
    const { data } = await asAda.repos.repoListTopics(...ENGINE);
    expect(data.topics).to.have.members(['brass', 'computing']);
    const { data: found } = await asAda.topics.topicSearch({ q: 'comp' });
    // gitea-js says that it is a list; what servers answer is an object that holds it.
    const { topics } = found as unknown as { topics: { topic_name: string; repo_count: number }[] };
    expect(topics.map(({ topic_name, repo_count }) => [topic_name, repo_count])).to.deep.equal([
      ['computing', 1],
    ]);
  });

  it('of an organization have teams', async () => {
    const place = ['engines', 'difference'] as const;
    const { data: team } = await asAda.orgs.orgCreateTeam('engines', {
      name: 'builders',
      permission: 'write',
      units: ['repo.code'],
    });
    await asAda.teams.orgAddTeamMember(Number(team.id), 'grace');
    expect((await refused(asAda.repos.repoCheckTeam(...place, 'builders'))).status).to.equal(404);
    await asAda.repos.repoAddTeam(...place, 'builders');
    expect((await asAda.repos.repoCheckTeam(...place, 'builders')).data.id).to.equal(team.id);
    const { data: teams } = await asAda.repos.repoListTeams(...place);
    expect(teams.map(({ name }) => name)).to.have.members(['Owners', 'builders']);
    expect((await asGrace.repos.repoGet(...place)).data.permissions?.push).to.equal(true);
    await asAda.repos.repoDeleteTeam(...place, 'builders');
    expect((await asGrace.repos.repoGet(...place)).data.permissions?.push).to.equal(false);
  });

  it('are forked, with all their history', async () => {
    const { data: fork } = await asGrace.repos.createFork(...ENGINE, { name: 'my-engine' });
    expect([fork.full_name, fork.fork, fork.parent?.full_name]).to.deep.equal([
      'grace/my-engine',
      true,
      'ada/engine',
    ]);
    const { data: forks } = await asAda.repos.listForks(...ENGINE);
    expect(namesOf(forks)).to.deep.equal(['grace/my-engine']);
    expect((await engine()).forks_count).to.equal(1);
    const { data: copied } = await asGrace.repos.repoGetBranch('grace', 'my-engine', 'main');
    expect(copied.commit?.id).to.equal(await tip());
    expect((await refused(asGrace.repos.createFork(...ENGINE, {}))).status).to.equal(409);
  });

  it('are generated from a template, without its history', async () => {
    const body = { owner: 'grace', name: 'generated', git_content: true, topics: true };
    expect((await refused(asGrace.repos.generateRepo(...ENGINE, body))).status).to.equal(422);
    await asAda.repos.repoEdit(...ENGINE, { template: true });
    const { data: made } = await asGrace.repos.generateRepo(...ENGINE, body);
    expect(made).to.include({ full_name: 'grace/generated', fork: false, template: false });
    expect((await asGrace.repos.repoListTopics('grace', 'generated')).data.topics).to.have.members([
      'brass',
      'computing',
    ]);
    const { data: commits } = await asGrace.repos.repoGetAllCommits('grace', 'generated');
    expect(commits).to.have.length(1);
    const { data: file } = await asGrace.repos.repoGetContents('grace', 'generated', 'README.md');
    expect(text(file.content)).to.equal('# Engine\n');
  });

  it('begin with what templates offer', async () => {
    expect((await asAda.gitignore.listGitignoresTemplates()).data).to.include('Node');
    const { data: ignored } = await asAda.gitignore.getGitignoreTemplateInfo('Node');
    expect([ignored.name, ignored.source?.includes('node_modules')]).to.deep.equal(['Node', true]);
    const { data: licenses } = await asAda.licenses.listLicenseTemplates();
    expect(licenses.map(({ key }) => key)).to.include('MIT');
    expect((await asAda.licenses.getLicenseTemplateInfo('MIT')).data.body).to.match(/without restriction/);
    expect((await asAda.label.listLabelTemplates()).data).to.include('Default');
    expect((await asAda.label.getLabelTemplateInfo('Default')).data.map(({ name }) => name)).to.include(
      'bug',
    );
  });

  it('are migrated from elsewhere, once or as mirrors that are pulled', async () => {
    const hash = await server.commit('up/loom.git', 'main', 'card', 'punched');
    const from = { clone_addr: `${server.url}/up/loom.git`, service: 'git' } as const;
    const { data: once } = await asAda.repos.repoMigrate({ ...from, repo_name: 'loom' });
    expect(once).to.include({ full_name: 'ada/loom', mirror: false, empty: false });
    const { data: mirror } = await asAda.repos.repoMigrate({
      ...from,
      repo_name: 'looms',
      repo_owner: 'engines',
      mirror: true,
      mirror_interval: '1h',
    });
    expect(mirror).to.include({ full_name: 'engines/looms', mirror: true, mirror_interval: '1h0m0s' });
    const tipOf = async (owner: string, name: string) =>
      (await asAda.repos.repoGetBranch(owner, name, 'main')).data.commit?.id;
    expect(await tipOf('engines', 'looms')).to.equal(hash);
    const next = await server.commit('up/loom.git', 'main', 'card', 'again');
    await asAda.repos.repoMirrorSync('engines', 'looms');
    expect([await tipOf('engines', 'looms'), await tipOf('ada', 'loom')]).to.deep.equal([next, hash]);
    const written = await refused(asAda.repos.repoCreateFile('engines', 'looms', 'x', { content: '' }));
    expect(written.status).to.equal(403);
    const local = await refused(asAda.repos.repoMigrate({ clone_addr: '/etc/passwd', repo_name: 'x' }));
    expect([local.status, local.error.message]).to.satisfy(
      ([status, message]: [number, string]) => status === 422 && message.includes('file system'),
    );
  });

  it('are handed over, to those who accept', async () => {
    const { data: offered } = await asAda.repos.repoTransfer('ada', 'loom', { new_owner: 'grace' });
    expect(offered.repo_transfer?.recipient?.login).to.equal('grace');
    const { data: kept } = await asGrace.repos.rejectRepoTransfer('ada', 'loom');
    expect(kept.full_name).to.equal('ada/loom');
    await asAda.repos.repoTransfer('ada', 'loom', { new_owner: 'grace' });
    const { data: moved } = await asGrace.repos.acceptRepoTransfer('ada', 'loom');
    expect(moved.full_name).to.equal('grace/loom');
    expect((await asGrace.repos.repoGet('ada', 'loom')).data.full_name).to.equal('grace/loom');
  });

  it('are archived, and then read only', async () => {
    const { data } = await asAda.repos.repoEdit(...ENGINE, { archived: true });
    expect(data.archived).to.equal(true);
    const { status } = await refused(asAda.repos.repoCreateFile(...ENGINE, 'late', { content: '' }));
    expect(status).to.equal(423);
    expect((await client.run(['push', remote(), 'main:late'], { in: 'engine' })).stderr).to.contain('403');
    expect((await asAda.repos.repoEdit(...ENGINE, { archived: false })).data.archived).to.equal(false);
    await asAda.repos.repoCreateFile(...ENGINE, 'late', { content: '' });
  });

  it('are deleted, by those who own them', async () => {
    expect((await refused(asGrace.repos.repoDelete(...ENGINE))).status).to.equal(403);
    await asAda.repos.repoDelete(...ENGINE);
    expect((await refused(asAda.repos.repoGet(...ENGINE))).status).to.equal(404);
    expect((await client.run(['ls-remote', remote()])).stderr).to.contain('not found');
    expect((await asGrace.repos.repoGet('grace', 'my-engine')).data).to.include({
      fork: false,
      empty: false,
    });
  });

  it('have no operation that gitea-js does not drive here', () => {
    const all = [...repositoryRoutes, ...forkRoutes].map(({ id }) => id);
    expect(all.filter((id) => !driven.has(id))).to.deep.equal([]);
  });
});
