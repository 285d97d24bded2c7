import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import type { TestAnswer } from '../support/client.js';
import { ahead } from '../support/clock.js';
import { startGitServer } from '../support/git-server.js';
import { newKey } from '../support/public-keys.js';

/** A process that ends between the append and the keeping of the answer, as its successor sees it. */
describe('Idempotency-Key after a crash', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ config: { allowLocalNetworks: true } });
    await sqlRows(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`,
    );
  });
  after(() => api.stop());

  const sqlRows = (text: string) => api.connections.db.rows(text);
  let keys = 0;

  /** What a request answers that is sent again, when the first answer was lost. */
  async function again(
    request: (headers: Readonly<Record<string, string>>) => Promise<TestAnswer>,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
    when: (work: () => Promise<void>) => Promise<void> = (work) => work(),
  ): Promise<TestAnswer> {
    const headers = { 'idempotency-key': `after-crash-${++keys}` };
    await sqlRows('create trigger crash before update on vault.answers for each row execute function fail()');
    expect((await request(headers)).status).to.equal(500);
    await sqlRows('drop trigger crash on vault.answers');
    await meanwhile();
    await api.restart();
    const answers: TestAnswer[] = [];
    await when(async () => {
      answers.push(await request(headers), await request(headers));
    });
    const [answer, onceMore] = answers as [TestAnswer, TestAnswer];
    expect(onceMore.status, 'once more').to.equal(answer.status);
    return answer;
  }

  /** Somebody with a repository `project` that has a commit. */
  async function writer(name: string) {
    const user = await api.createUser(name);
    const project = { name: 'project', auto_init: true, default_branch: 'main' };
    expect((await user.post('/user/repos', project)).status).to.equal(201);
    return user;
  }

  const addRule = (name: string) => api.admin.post('/admin/quota/rules', { name, limit: 1, subjects: [] });

  it('says again that something was deleted, and what to wait for', async () => {
    await api.createUser('ann');
    const { status, text, headers } = await again((key) =>
      api.admin.delete('/admin/users/ann', undefined, key),
    );
    expect([status, text]).to.deep.equal([204, '']);
    expect(headers.get('x-tallyforge-position')).to.match(/^\d+$/);
    expect((await api.admin.get('/users/ann')).status).to.equal(404);
  });

  it('says again that something was renamed', async () => {
    await api.createUser('ben');
    const { status } = await again((key) =>
      api.admin.post('/admin/users/ben/rename', { new_username: 'benedict' }, key),
    );
    expect(status).to.equal(204);
    expect((await api.admin.get('/users/benedict')).status).to.equal(200);
  });

  it('answers where a repository was that it has renamed or transferred', async () => {
    const user = await writer('iris');
    await user.post('/orgs', { username: 'irises' });
    const renamed = await again((key) => user.patch('/repos/iris/project', { name: 'plan' }, key));
    expect([renamed.status, (renamed.json as { full_name: string }).full_name]).to.deep.equal([
      200,
      'iris/plan',
    ]);
    const transfer = { new_owner: 'irises' };
    const moved = await again((key) => user.post('/repos/iris/plan/transfer', transfer, key));
    expect([moved.status, (moved.json as { full_name: string }).full_name]).to.deep.equal([
      202,
      'irises/plan',
    ]);
    expect((await user.patch('/repos/iris/plan', {}, { 'idempotency-key': 'new' })).status).to.equal(307);
  });

  it('says again that a transfer was accepted or rejected', async () => {
    const user = await writer('kim');
    const other = await api.createUser('lena');
    const offer = (repo: string) => user.post(`/repos/kim/${repo}/transfer`, { new_owner: 'lena' });
    expect((await offer('project')).status).to.equal(201);
    const accepted = await again((key) => other.post('/repos/kim/project/transfer/accept', undefined, key));
    expect([accepted.status, (accepted.json as { full_name: string }).full_name]).to.deep.equal([
      202,
      'lena/project',
    ]);
    await user.post('/user/repos', { name: 'hidden', private: true });
    expect((await offer('hidden')).status).to.equal(201);
    const rejected = await again((key) => other.post('/repos/kim/hidden/transfer/reject', undefined, key));
    expect(rejected.status, rejected.text).to.equal(200);
    expect((await other.post('/repos/kim/hidden/transfer/reject')).status).to.equal(404);
  });

  it('answers where an account was that has another name since', async () => {
    await api.createUser('jon');
    const { status, json } = await again(
      (key) => api.admin.patch('/admin/users/jon', { full_name: 'Jon' }, key),
      () => api.admin.post('/admin/users/jon/rename', { new_username: 'jonas' }),
    );
    expect([status, (json as { login: string }).login]).to.deep.equal([200, 'jonas']);
  });

  it('leaves alone what bears the name by now', async () => {
    await addRule('mine');
    const { status } = await again(
      (key) => api.admin.delete('/admin/quota/rules/mine', undefined, key),
      () => addRule('mine'),
    );
    expect(status).to.equal(204);
    expect((await api.admin.get('/admin/quota/rules/mine')).status).to.equal(200);
    await api.createUser('cem');
    const { status: deleted } = await again(
      (key) => api.admin.delete('/admin/users/cem', undefined, key),
      () => api.createUser('cem'),
    );
    expect(deleted).to.equal(204);
    expect((await api.admin.get('/users/cem')).status).to.equal(200);
  });

  it('gives again what it answered before midnight', async () => {
    await addRule('late');
    const change = (limit: number) => api.admin.patch('/admin/quota/rules/late', { limit });
    const { status } = await again(
      (key) => api.admin.patch('/admin/quota/rules/late', { limit: 7 }, key),
      () => change(8),
      (work) => ahead(24 * 60 * 60 * 1000, work),
    );
    expect(status).to.equal(200);
    expect((await api.admin.get('/admin/quota/rules/late')).json).to.include({ limit: 8 });
  });

  it('gives again an answer that has a body', async () => {
    const { status, json } = await again((key) =>
      api.admin.post('/admin/quota/rules', { name: 'made once', limit: 7, subjects: [] }, key),
    );
    expect(status).to.equal(201);
    expect(json).to.deep.equal({ name: 'made once', limit: 7, subjects: [] });
  });

  it('gives a commit again, and moves the branch once', async () => {
    const user = await writer('dora');
    const path = '/repos/dora/project/contents/file.txt';
    const create = { content: Buffer.from('one\n').toString('base64'), message: 'one', branch: 'main' };
    const created = await again((key) => user.post(path, create, key));
    expect(created.status, created.text).to.equal(201);
    const { content, commit } = created.json as { content: { sha: string }; commit: { sha: string } };
    const [newest, initial] = (await user.get('/repos/dora/project/commits')).json as { sha: string }[];
    expect(newest?.sha).to.equal(commit.sha);
    expect(((await user.get('/repos/dora/project/commits')).json as unknown[]).length).to.equal(2);
    expect(initial).to.not.equal(undefined);
    const removal = await again((key) => user.delete(path, { sha: content.sha, branch: 'main' }, key));
    expect(removal.status, removal.text).to.equal(200);
    expect((await user.get(path)).status).to.equal(404);
  });

  it('opens an issue once', async () => {
    const user = await writer('fred');
    const issues = '/repos/fred/project/issues';
    const { status, json } = await again((key) => user.post(issues, { title: 'once' }, key));
    expect([status, (json as { number: number }).number]).to.deep.equal([201, 1]);
    expect((await user.get(issues)).json).to.have.lengthOf(1);
  });

  it('creates a repository once, of which its owner may have no more', async () => {
    const user = await api.createUser('ivy');
    await api.admin.patch('/admin/users/ivy', { max_repo_creation: 1 });
    const { status, json } = await again((key) => user.post('/user/repos', { name: 'only' }, key));
    expect([status, (json as { full_name: string }).full_name]).to.deep.equal([201, 'ivy/only']);
    expect((await user.post('/user/repos', { name: 'more' })).status).to.equal(403);
  });

  it('creates a repository once, though it has another name by then', async () => {
    const user = await api.createUser('jana');
    const { status, json } = await again(
      (key) => user.post('/user/repos', { name: 'draft' }, key),
      () => user.patch('/repos/jana/draft', { name: 'final' }),
    );
    expect([status, (json as { full_name: string }).full_name]).to.deep.equal([201, 'jana/final']);
    expect((await user.get('/user/repos')).json).to.have.lengthOf(1);
  });

  it('migrates a repository once', async () => {
    const server = await startGitServer();
    await server.commit('a.git', 'main', 'README.md', 'hello');
    const user = await api.createUser('lore');
    const form = { clone_addr: `${server.url}/a.git`, repo_name: 'moved' };
    const { status, json } = await again((key) => user.post('/repos/migrate', form, key));
    await server.stop();
    expect([status, (json as { full_name: string }).full_name]).to.deep.equal([201, 'lore/moved']);
  });

  it('creates a hook once', async () => {
    const user = await writer('gina');
    const hooks = '/repos/gina/project/hooks';
    const body = { type: 'forgejo', config: { url: 'https://example.org/', content_type: 'json' } };
    const { status, json } = await again((key) => user.post(hooks, body, key));
    expect(status).to.equal(201);
    expect((await user.get(hooks)).json).to.deep.equal([json]);
  });

  it('shows nothing to a caller whom somebody has taken the right since', async () => {
    const user = await writer('theo');
    const other = await api.createUser('tilda');
    const collaborator = '/repos/theo/project/collaborators/tilda';
    expect((await user.put(collaborator, { permission: 'admin' })).status).to.equal(204);
    const hooks = '/repos/theo/project/hooks';
    const config = { url: 'https://example.org/', content_type: 'json' };
    const body = { type: 'forgejo', config, authorization_header: 'Bearer first' };
    const { status } = await again(
      (key) => other.post(hooks, body, key),
      () => user.delete(collaborator),
    );
    expect(status).to.equal(403);
    expect((await user.get(hooks)).json).to.have.lengthOf(1);
  });

  it('creates an access token once, with a secret that works', async () => {
    const user = await api.createUser('hana');
    const tokens = '/users/hana/tokens';
    const { status, json } = await again((key) => user.post(tokens, { name: 'ci', scopes: ['all'] }, key));
    const token = json as { sha1: string };
    expect(status).to.equal(201);
    expect((await user.get(tokens)).json).to.deep.equal([{ ...token, sha1: '' }]);
    const authorization = `token ${token.sha1}`;
    expect((await api.anonymous.get('/user', { authorization })).status).to.equal(200);
  });

  it('says again that an address and a key were added', async () => {
    const uma = await api.createUser('uma');
    const emails = ['uma@example.com'];
    const added = await again((key) => uma.post('/user/emails', { emails }, key));
    expect(added.status, added.text).to.equal(201);
    const laptop = { title: 'laptop', key: newKey() };
    const kept = await again((key) => uma.post('/user/keys', laptop, key));
    expect([kept.status, (kept.json as { title: string }).title]).to.deep.equal([201, 'laptop']);
    expect((await uma.get('/user/keys')).json).to.have.length(1);
  });

  it('says again that a branch and a tag were made, renamed and deleted', async () => {
    const user = await writer('emma');
    const branches = '/repos/emma/project/branches';
    const made = await again((key) => user.post(branches, { new_branch_name: 'topic' }, key));
    expect([made.status, (made.json as { name: string }).name]).to.deep.equal([201, 'topic']);
    const renamed = await again((key) => user.patch(`${branches}/topic`, { name: 'theme' }, key));
    expect(renamed.status, renamed.text).to.equal(204);
    const tagged = await again((key) => user.post('/repos/emma/project/tags', { tag_name: 'v1' }, key));
    expect(tagged.status, tagged.text).to.equal(201);
    for (const path of [`${branches}/theme`, '/repos/emma/project/tags/v1'])
      expect((await again((key) => user.delete(path, undefined, key))).status).to.equal(204);
  });

  it('opens an issue once, though what it names is gone by then', async () => {
    const user = await writer('selma');
    await api.createUser('olaf');
    const project = '/repos/selma/project';
    expect((await user.put(`${project}/collaborators/olaf`, {})).status).to.equal(204);
    const { id } = (await user.post(`${project}/milestones`, { title: 'soon' })).json as { id: number };
    const issue = { title: 'once', milestone: id, assignees: ['olaf'] };
    const gone = async () => {
      await user.delete(`${project}/milestones/${id}`);
      await user.delete(`${project}/collaborators/olaf`);
    };
    const opened = await again((key) => user.post(`${project}/issues`, issue, key), gone);
    expect([opened.status, (opened.json as { number: number }).number]).to.deep.equal([201, 1]);
    expect((await user.post(`${project}/issues`, issue)).status).to.equal(422);
    expect((await user.get(`${project}/issues`)).json).to.have.lengthOf(1);
  });

  it('edits an issue and a milestone once, though what is named is gone or has another name by then', async () => {
    const user = await writer('petra');
    const project = '/repos/petra/project';
    const milestones = `${project}/milestones`;
    const { id } = (await user.post(milestones, { title: 'soon' })).json as { id: number };
    await user.post(`${project}/issues`, { title: 'one' });
    const renamed = await again((key) => user.patch(`${milestones}/soon`, { title: 'later' }, key));
    expect([renamed.status, (renamed.json as { title: string }).title]).to.deep.equal([200, 'later']);
    const edited = await again(
      (key) => user.patch(`${project}/issues/1`, { milestone: id, title: 'two' }, key),
      () => user.delete(`${milestones}/${id}`),
    );
    expect([edited.status, (edited.json as { title: string }).title]).to.deep.equal([201, 'two']);
  });

  it('makes a branch and a tag once, though where they begin is gone by then', async () => {
    const user = await writer('quinn');
    const project = '/repos/quinn/project';
    const begin = () => user.post(`${project}/branches`, { new_branch_name: 'base' });
    const gone = () => user.delete(`${project}/branches/base`);
    for (const [what, body] of [
      ['branches', { new_branch_name: 'topic', old_ref_name: 'base' }],
      ['tags', { tag_name: 'light', target: 'base' }],
      ['tags', { tag_name: 'v1', target: 'base', message: 'one' }],
    ] as const) {
      expect((await begin()).status).to.equal(201);
      const made = await again((key) => user.post(`${project}/${what}`, body, key), gone);
      expect(made.status, made.text).to.equal(201);
    }
    const archived = await again(
      (key) => user.post(`${project}/branches`, { new_branch_name: 'last' }, key),
      () => user.patch(project, { archived: true }),
    );
    expect(archived.status, archived.text).to.equal(201);
  });

  it('protects branches once, though whom it names is gone by then', async () => {
    const user = await writer('rita');
    const rules = '/repos/rita/project/branch_protections';
    await api.createUser('sven');
    const added = await again(
      (key) => user.post(rules, { rule_name: 'main', push_whitelist_usernames: ['sven'] }, key),
      () => api.admin.delete('/admin/users/sven'),
    );
    expect(added.status, added.text).to.equal(201);
    await api.createUser('tove');
    const edited = await again(
      (key) => user.patch(`${rules}/main`, { push_whitelist_usernames: ['tove'] }, key),
      () => api.admin.delete('/admin/users/tove'),
    );
    expect(edited.status, edited.text).to.equal(200);
  });

  it('offers a repository once, though the caller could take it there at once by then', async () => {
    const user = await writer('vera');
    const other = await api.createUser('wim');
    expect((await other.post('/orgs', { username: 'wims' })).status).to.equal(201);
    const [owners] = (await other.get('/orgs/wims/teams')).json as { id: number }[];
    const offered = await again(
      (key) => user.post('/repos/vera/project/transfer', { new_owner: 'wims' }, key),
      () => other.put(`/teams/${owners?.id}/members/vera`),
    );
    expect([offered.status, (offered.json as { full_name: string }).full_name]).to.deep.equal([
      201,
      'vera/project',
    ]);
    expect((await user.post('/user/repos', { name: 'project' })).status).to.equal(409);
    expect((await other.post('/repos/vera/project/transfer/accept')).status).to.equal(202);
  });

  it('gives a repository away once, though the caller may not even see it by then', async () => {
    const user = await writer('vito');
    const other = await api.createUser('wanda');
    expect((await other.post('/orgs', { username: 'wandas' })).status).to.equal(201);
    const creators = {
      name: 'creators',
      permission: 'read',
      units: ['repo.issues'],
      can_create_org_repo: true,
    };
    const { id } = (await other.post('/orgs/wandas/teams', creators)).json as { id: number };
    expect((await other.put(`/teams/${id}/members/vito`)).status).to.equal(204);
    for (const name of ['project', 'hidden']) {
      await user.post('/user/repos', { name, private: name === 'hidden' });
      const given = await again((key) =>
        user.post(`/repos/vito/${name}/transfer`, { new_owner: 'wandas' }, key),
      );
      expect(given.status, given.text).to.equal(202);
      expect((given.json as { full_name: string }).full_name).to.equal(`wandas/${name}`);
    }
    expect((await user.get('/repos/wandas/hidden')).status).to.equal(404);
  });

  it('generates a repository once, though its template is none by then', async () => {
    const user = await writer('xenia');
    const template = '/repos/xenia/project';
    expect((await user.patch(template, { template: true })).status).to.equal(200);
    const asked = { owner: 'xenia', name: 'copy', git_content: true };
    const { status, json } = await again(
      (key) => user.post(`${template}/generate`, asked, key),
      () => user.patch(template, { template: false }),
    );
    expect([status, (json as { full_name: string }).full_name]).to.deep.equal([201, 'xenia/copy']);
  });

  it('founds an organization once, though the caller may found none by then', async () => {
    const user = await api.createUser('yara');
    const { status, json } = await again(
      (key) => user.post('/orgs', { username: 'yaras' }, key),
      () => api.admin.patch('/admin/users/yara', { allow_create_organization: false }),
    );
    expect([status, (json as { name: string }).name]).to.deep.equal([201, 'yaras']);
    expect((await user.post('/orgs', { username: 'more' })).status).to.equal(403);
  });

  it('writes once in a repository that is archived by then', async () => {
    const user = await writer('zoe');
    const project = '/repos/zoe/project';
    await user.post(`${project}/issues`, { title: 'one' });
    const { commit } = (await user.get(`${project}/branches/main`)).json as { commit: { id: string } };
    for (const [path, body] of [
      ['issues', { title: 'two' }],
      ['issues/1/comments', { body: 'so' }],
      ['labels', { name: 'bug', color: '#ff0000' }],
      ['milestones', { title: 'soon' }],
      [`statuses/${commit.id}`, { state: 'success' }],
    ] as const) {
      const { status, text } = await again(
        (key) => user.post(`${project}/${path}`, body, key),
        () => user.patch(project, { archived: true }),
      );
      expect(status, `${path}: ${text}`).to.equal(201);
      expect((await user.post(`${project}/${path}`, body)).status).to.equal(423);
      expect((await user.patch(project, { archived: false })).status).to.equal(200);
    }
    expect((await user.get(`${project}/issues`)).json).to.have.lengthOf(2);
  });

  it('edits the protection of a branch once, though it is gone by then', async () => {
    const user = await writer('abel');
    const rules = '/repos/abel/project/branch_protections';
    expect((await user.post(rules, { rule_name: 'main' })).status).to.equal(201);
    const { status, json } = await again(
      (key) => user.patch(`${rules}/main`, { enable_push: true }, key),
      () => user.delete(`${rules}/main`),
    );
    expect([status, (json as { enable_push: boolean }).enable_push]).to.deep.equal([200, true]);
    expect((await user.get(rules)).json).to.deep.equal([]);
  });

  it('does what had not been done', async () => {
    await addRule('kept');
    const headers = { 'idempotency-key': 'never-appended' };
    await sqlRows('create trigger crash before insert on events.log for each row execute function fail()');
    const remove = () => api.admin.delete('/admin/quota/rules/kept', undefined, headers);
    expect((await remove()).status).to.be.greaterThanOrEqual(500);
    await sqlRows('drop trigger crash on events.log');
    expect((await remove()).status).to.equal(204);
    expect((await api.admin.get('/admin/quota/rules/kept')).status).to.equal(404);
  });

  it('takes its key along where what had not been done belongs to another name by then', async () => {
    const user = await writer('nora');
    const headers = { 'idempotency-key': 'never-appended-and-renamed' };
    const describe = (path: string) => user.patch(path, { description: 'told' }, headers);
    await sqlRows('create trigger crash before insert on events.log for each row execute function fail()');
    expect((await describe('/repos/nora/project')).status).to.be.greaterThanOrEqual(500);
    await sqlRows('drop trigger crash on events.log');
    expect((await user.patch('/repos/nora/project', { name: 'plan' })).status).to.equal(200);
    await api.restart();
    expect((await describe('/repos/nora/project')).headers.get('location')).to.match(/\/repos\/nora\/plan$/);
    const { status, json } = await describe('/repos/nora/plan');
    expect([status, (json as { description: string }).description]).to.deep.equal([200, 'told']);
    expect((await describe('/repos/nora/plan')).json).to.deep.equal(json);
  });

  it('is 422 for another body already then', async () => {
    const body = (limit: number) => ({ name: 'bodies', limit, subjects: [] });
    const headers = { 'idempotency-key': 'two-bodies' };
    await sqlRows('create trigger crash before update on vault.answers for each row execute function fail()');
    expect((await api.admin.post('/admin/quota/rules', body(1), headers)).status).to.equal(500);
    await sqlRows('drop trigger crash on vault.answers');
    expect((await api.admin.post('/admin/quota/rules', body(2), headers)).status).to.equal(422);
  });
});
