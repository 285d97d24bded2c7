import { expect } from 'chai';
import { ContentType, giteaApi, type APIError } from 'gitea-js';
import { readConfig } from '../../src/config.js';
import { gitClient, type GitClient } from '../git-http/client.js';
import { PASSWORD, startApi, type TestApi } from '../support/api.js';

type Gitea = ReturnType<typeof giteaApi>;

describe('the life of a project through gitea-js', () => {
  let api: TestApi;
  let client: GitClient;
  let asRoot: Gitea;
  let asAda: Gitea;
  let adaToken: string;

  before(async () => {
    api = await startApi({ config: { quota: { ...readConfig({}).quota, enabled: true } } });
    client = await gitClient();
    asRoot = giteaApi(api.url(), { token: (await api.createToken('root', 'all')).token });
  });
  after(async () => {
    await api.stop();
    await client.remove();
  });

  it('a user, with a token', async () => {
    const { data } = await asRoot.admin.adminCreateUser({
      username: 'ada',
      email: 'ada@example.org',
      password: PASSWORD,
      full_name: 'Ada Lovelace',
      must_change_password: false,
    });
    expect(data).to.include({ login: 'ada', full_name: 'Ada Lovelace', is_admin: false });
    adaToken = (await api.createToken('ada', 'all')).token;
    asAda = giteaApi(api.url(), { token: adaToken });
    expect((await asAda.user.userGetCurrent()).data.id).to.equal(data.id);
  });

  it('an organization and a team of it, with a member', async () => {
    const { data: organization } = await asAda.orgs.orgCreate({ username: 'engines', visibility: 'private' });
    expect(organization).to.include({ username: 'engines', visibility: 'private' });
    await api.createUser('grace');
    const { data: team } = await asAda.orgs.orgCreateTeam('engines', {
      name: 'builders',
      permission: 'write',
      units: ['repo.code', 'repo.issues'],
      includes_all_repositories: true,
    });
    expect(team).to.include({ name: 'builders', includes_all_repositories: true });
    await asAda.teams.orgAddTeamMember(Number(team.id), 'grace');
    const { data: members } = await asAda.orgs.orgListMembers('engines');
    expect(members.map(({ login }) => login)).to.have.members(['ada', 'grace']);
  });

  it('a repository, filled by a push with git', async () => {
    const { data: made } = await asAda.orgs.createOrgRepo('engines', { name: 'analytical', private: true });
    expect(made).to.include({ full_name: 'engines/analytical', empty: true, private: true });
    await client.working('analytical', { 'README.md': '# The analytical engine\n' });
    await push();
    const { data: repository } = await asAda.repos.repoGet('engines', 'analytical');
    expect(repository).to.include({ empty: false, default_branch: 'main' });
    expect(new Date(String(repository.updated_at)).getTime()).to.be.a('number').that.is.not.NaN;
    const { data: branches } = await asAda.repos.repoListBranches('engines', 'analytical');
    expect(branches.map(({ name, commit }) => [name, commit?.message?.trim()])).to.deep.equal([
      ['main', await client.git(['log', '-1', '--format=%s'], { in: 'analytical' })],
    ]);
    const { data: file } = await asAda.repos.repoGetContents('engines', 'analytical', 'README.md');
    expect(Buffer.from(String(file.content), 'base64').toString()).to.equal('# The analytical engine\n');
  });

  it('an issue with a label and a comment', async () => {
    const place = ['engines', 'analytical'] as const;
    const { data: label } = await asAda.repos.issueCreateLabel(...place, { name: 'bug', color: '#ee0701' });
    const { data: issue } = await asAda.repos.issueCreateIssue(...place, { title: 'Carries are slow' });
    expect(issue).to.include({ number: 1, state: 'open', comments: 0 });
    const { data: labels } = await asAda.repos.issueAddLabel(...place, 1, { labels: [label.id] });
    expect(labels).to.deep.equal([label]);
    const { data: comment } = await asAda.repos.issueCreateComment(...place, 1, { body: 'Anticipate them.' });
    const { data: comments } = await asAda.repos.issueGetComments(...place, 1);
    expect(comments.map(({ id, body, user }) => [id, body, user?.login])).to.deep.equal([
      [comment.id, 'Anticipate them.', 'ada'],
    ]);
    const { data: open, headers } = await asAda.repos.issueListIssues(...place, {
      labels: 'bug',
      state: 'open',
    });
    expect(open.map(({ number, comments: count }) => [number, count])).to.deep.equal([[1, 1]]);
    expect(headers.get('x-total-count')).to.equal('1');
    const { data: closed } = await asAda.repos.issueEditIssue(...place, 1, { state: 'closed' });
    expect(closed.state).to.equal('closed');
  });

  it('a hook', async () => {
    const { data: hook } = await asAda.repos.repoCreateHook('engines', 'analytical', {
      type: 'gitea',
      config: { url: 'https://example.org/hook', content_type: 'json' },
      events: ['push', 'issues'],
      active: true,
    });
    const { data: hooks } = await asAda.repos.repoListHooks('engines', 'analytical');
    expect(hooks).to.deep.equal([hook]);
  });

  it('text rendered in its context', async () => {
    const option = { Text: '**fast**', Mode: 'markdown' };
    const { data } = await asAda.markdown.renderMarkdown(option, { format: 'text' });
    expect(data).to.contain('<strong>fast</strong>');
  });

  it('a quota that refuses what is beyond it', async () => {
    const send = (method: string, path: string, body?: object) =>
      asRoot.request<unknown, APIError>({
        path,
        method,
        secure: true,
        type: ContentType.Json,
        ...(body && { body }),
      });
    const rule = { name: 'no more', limit: 0, subjects: ['size:repos:all'] };
    const { data: group } = await send('POST', '/admin/quota/groups', { name: 'full', rules: [rule] });
    expect(group).to.deep.include({ name: 'full' });
    await send('PUT', '/admin/quota/groups/full/users/engines');

    const refused = await asAda.repos
      .repoCreateFile('engines', 'analytical', 'notes.md', { content: 'bm90ZXM=', message: 'notes' })
      .then(
        () => expect.fail('it was not refused'),
        (answer: unknown) => answer as { status: number; error: object },
      );
    expect(refused.status).to.equal(413);
    expect(refused.error).to.include({ username: 'engines' }).and.have.property('message').that.is.not.empty;

    await client.commit('analytical', { 'notes.md': 'notes' });
    const pushed = await client.run(['push', remote(), 'main'], { in: 'analytical' });
    expect(pushed.code).to.not.equal(0);

    await send('DELETE', '/admin/quota/groups/full/users/engines');
    await push();
  });

  const remote = () => {
    const url = new URL('/engines/analytical.git', api.url());
    url.username = 'ada';
    url.password = adaToken;
    return url.href;
  };
  const push = () => client.git(['push', remote(), 'main'], { in: 'analytical' });
});
