import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { Account } from '../../src/domain/accounts/account.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Storage } from '../../src/commands/quota/storage.js';
import { retireHooks } from '../../src/commands/hooks/retire-hooks.js';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import { readServiceConfig } from '../../src/start/service-config.js';
import { connect, type Connections } from '../../src/connections.js';
import { sql } from '../../src/database/sql.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { AccountFacts } from '../../src/http/accounts/account-facts.js';
import { openGit } from '../../src/git/open-git.js';
import { afterwards } from '../../src/webhooks/afterwards.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { freeze, thaw } from '../../src/webhooks/frozen-target.js';
import { findHookTarget } from '../../src/webhooks/payloads/hook-target.js';
import { concernsHooks, payloadsFor } from '../../src/webhooks/payloads/payloads.js';
import type { PayloadServices } from '../../src/webhooks/payloads/services.js';
import type { PlannedDelivery } from '../../src/webhooks/planned.js';
import { gitClient } from '../git-http/client.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../support/api.js';

type Body = Record<string, unknown>;
type Told = Omit<PlannedDelivery, 'payload'> & { readonly body: Body; readonly text: string };

const ALL = ['create', 'delete', 'fork', 'push', 'issues', 'repository'];
const NOTHING = '0'.repeat(40);
const KEY = Buffer.alloc(32, 7);

/** The fields of what each kind tells, beside `repository` and `sender`, which all have. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  create: ['sha', 'ref', 'ref_type'],
  delete: ['ref', 'ref_type', 'pusher_type'],
  push: [...['ref', 'before', 'after', 'compare_url', 'commits', 'total_commits', 'head_commit', 'pusher']],
  fork: ['forkee'],
  'issues opened': ['action', 'number', 'issue', 'commit_id'],
  'issues edited': ['action', 'number', 'issue', 'commit_id', 'changes'],
  'issues closed': ['action', 'number', 'issue', 'commit_id'],
  'issues reopened': ['action', 'number', 'issue', 'commit_id'],
  'issue_assign assigned': ['action', 'number', 'issue', 'commit_id'],
  'issue_assign unassigned': ['action', 'number', 'issue', 'commit_id'],
  'issue_label label_updated': ['action', 'number', 'issue', 'commit_id'],
  'issue_label label_cleared': ['action', 'number', 'issue', 'commit_id'],
  'issue_milestone milestoned': ['action', 'number', 'issue', 'commit_id'],
  'issue_milestone demilestoned': ['action', 'number', 'issue', 'commit_id'],
  'issue_comment created': ['action', 'issue', 'comment', 'is_pull'],
  'issue_comment edited': ['action', 'issue', 'comment', 'is_pull', 'changes'],
  'issue_comment deleted': ['action', 'issue', 'comment', 'is_pull'],
  'repository created': ['action', 'organization'],
  'repository deleted': ['action', 'organization'],
};

describe('what hooks are told', () => {
  let api: TestApi;
  let ann: TestUser;
  let connections: Connections;
  let services: PayloadServices;
  let hook: { repository: number; organization: number; system: number };
  let position: bigint;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    await api.createUser('bob');
    const config = await readServiceConfig(api.environment);
    connections = await connect(config, {
      applicationName: 'test',
      searchPath: projections.map((projection) => schemaOf(projection)),
      onError: () => undefined,
    });
    await connections.vault.start();
    const git = await openGit({ folder: join(api.dataDir, 'repositories') });
    services = {
      ...connections,
      accountFacts: new AccountFacts(connections.db),
      config: { baseUrl: api.url() },
      git,
      commands: new CommandHandler({ log: connections.log }),
      commitCache: new CommitCache(connections.db),
    };
    await made(ann.post('/orgs', { username: 'acme' }));
    await made(ann.post('/orgs/acme/repos', { name: 'project', auto_init: true }));
    hook = {
      system: await hooked('/admin/hooks', {}, api.admin),
      organization: await hooked('/orgs/acme/hooks'),
      repository: await hooked('/repos/acme/project/hooks'),
    };
    await hooked('/repos/acme/project/hooks', { active: false });
    await hooked('/repos/acme/project/hooks', { events: ['wiki'] });
  });
  after(async () => {
    await connections.close();
    await api.stop();
  });
  beforeEach(async () => {
    position = await connections.store.lastPosition();
  });

  const made = async (answer: ReturnType<TestUser['post']>) => {
    const { status, json, text } = await answer;
    expect(status, text).to.be.within(200, 299);
    return json as Body;
  };

  const hooked = async (path: string, fields: object = {}, client: TestApi['admin'] = ann) => {
    const config = { url: 'https://example.org/', content_type: 'json', secret: 's3cret' };
    const body = { type: 'forgejo', config, events: ALL, active: true, ...fields };
    return (await made(client.post(path, body))).id as number;
  };

  const happened = async (): Promise<DomainEvent[]> => {
    const all: DomainEvent[] = [];
    const ended = new AbortController();
    for await (const { events, caughtUp } of connections.log.subscribe(position, { signal: ended.signal })) {
      all.push(...events);
      if (caughtUp) ended.abort();
    }
    return all;
  };

  const following = (commands: CommandHandler) => {
    const storage = new Storage({ commands, limited: true });
    const reached = () => Promise.resolve(true);
    return afterwards({
      ...connections,
      commands,
      storage,
      deliveries: new Deliveries(connections.db),
      findTarget: (hookId, repositoryId) => findHookTarget(services, hookId, repositoryId),
      freeze: (id, target) => freeze(KEY, id, target),
      reached,
    });
  };

  /** Whatever hooks are told of what happened since the test began. */
  const told = async (most?: number): Promise<Told[]> => {
    const all: Told[] = [];
    for (const event of await happened())
      if (concernsHooks(event))
        for await (const { payload, ...rest } of payloadsFor(services, event, most))
          all.push({ ...rest, text: payload, body: JSON.parse(payload) as Body });
    return all;
  };
  const toRepository = async () => (await told()).filter(({ hookId }) => hookId === hook.repository);
  const kinds = (all: readonly Told[]) => all.map(({ event, eventType }) => `${event} ${eventType}`);

  const REPO = '/repos/acme/project';
  const commit = (branch: string, path: string) =>
    made(ann.post(`${REPO}/contents/${path}`, { content: 'eA==', message: `adds ${path}\n`, branch }));

  /** The repository, cloned into a folder, and the address at which Ann pushes. */
  const cloned = async (folder: string) => {
    const client = await gitClient();
    const url = new URL(`${api.url()}/acme/project.git`);
    Object.assign(url, { username: 'ann', password: encodeURIComponent(PASSWORD) });
    await client.git(['clone', '--quiet', url.href, folder]);
    return { client, url: url.href };
  };

  it('goes to the hooks of the repository, of its owner, of the server, in this order', async () => {
    await commit('main', 'first');
    const all = await told();
    expect(all.map(({ hookId }) => hookId)).to.deep.equal([hook.repository, hook.organization, hook.system]);
    expect(new Set(all.map(({ text }) => text)).size).to.equal(1);
    expect(all[0]?.key).to.equal('push refs/heads/main');
  });

  it('goes to several hooks of one place by their ids, whatever the order of the places', async () => {
    const later = {
      repository: await hooked('/repos/acme/project/hooks'),
      system: await hooked('/admin/hooks', {}, api.admin),
      organization: await hooked('/orgs/acme/hooks'),
    };
    await commit('main', 'crosswise');
    expect((await told()).map(({ hookId }) => hookId)).to.deep.equal([
      ...[hook.repository, later.repository],
      ...[hook.organization, later.organization],
      ...[hook.system, later.system],
    ]);
    await made(ann.delete(`/repos/acme/project/hooks/${later.repository}`));
    await made(ann.delete(`/orgs/acme/hooks/${later.organization}`));
    await made(api.admin.delete(`/admin/hooks/${later.system}`));
  });

  it('of a push says what was pushed', async () => {
    const before = ((await ann.get(`${REPO}/branches/main`)).json as { commit: { id: string } }).commit.id;
    const { commit: made1 } = (await commit('main', 'second')) as { commit: { sha: string } };
    const [push] = await toRepository();
    expect(push).to.include({ event: 'push', eventType: 'push' });
    const body: Body = push?.body ?? {};
    expect(body).to.include({
      ref: 'refs/heads/main',
      before,
      after: made1.sha,
      compare_url: `${api.url()}/acme/project/compare/${before}...${made1.sha}`,
      total_commits: 1,
    });
    const [shown] = body.commits as Body[];
    expect(shown).to.deep.include({
      id: made1.sha,
      message: 'adds second\n',
      url: `${api.url()}/acme/project/commit/${made1.sha}`,
      verification: null,
      added: ['second'],
      removed: [],
      modified: [],
    });
    expect(shown?.author).to.include({ name: 'ann', username: 'ann' });
    expect(body.head_commit).to.deep.equal(shown);
    expect(body.repository).to.include({ full_name: 'acme/project' });
    expect(body.pusher).to.include({ login: 'ann', email: 'ann@noreply.127.0.0.1' });
    expect(body.sender).to.deep.equal(body.pusher);
    expect(push?.text).to.match(/^\{\n {2}"ref": "refs\/heads\/main",\n/);
  });

  it('dates a commit by its author, in UTC as the API does', async () => {
    const dates = { author: '2020-01-02T04:34:05+01:30', committer: '2021-01-01T00:00:00Z' };
    const dated = { content: 'eA==', branch: 'main', dates };
    await made(ann.post(`${REPO}/contents/dated`, dated));
    const [push] = await toRepository();
    const head = push?.body.head_commit as { timestamp: string };
    expect(head.timestamp).to.equal('2020-01-02T03:04:05Z');
    const { commit } = (await ann.get(`${REPO}/branches/main`)).json as { commit: object };
    expect(commit).to.include({ timestamp: head.timestamp });
  });

  it('of a push lists the five newest commits, and says how many there are, up to ten of a new branch', async () => {
    const { client, url } = await cloned('many');
    const commits: string[] = [];
    const push = async (count: number, ref: string) => {
      for (let nth = 0; nth < count; nth++) commits.unshift(await client.commit('many', {}, `nth ${nth}`));
      await client.git(['push', '--quiet', url, `HEAD:${ref}`], { in: 'many' });
      await api.shown();
    };
    await push(12, 'refs/heads/main');
    await push(11, 'refs/heads/long');
    await client.remove();
    const pushes = (await toRepository()).filter(({ event }) => event === 'push').map(({ body }) => body);
    const listed = pushes.map((body) => (body.commits as { id: string }[]).map(({ id }) => id));
    expect(listed).to.deep.equal([commits.slice(11, 16), commits.slice(0, 5)]);
    expect(pushes.map((body) => body.total_commits)).to.deep.equal([12, 10]);
    expect(pushes[0]?.head_commit).to.include({ id: commits[11] });
    expect(pushes[1]).to.include({ before: NOTHING, after: commits[0] });
    const tenth = commits[5] ?? '';
    expect(pushes[1]?.compare_url).to.equal(
      `${api.url()}/acme/project/compare/${tenth}...${String(commits[0])}`,
    );
  });

  it('lists the commits of branches, however many move at once', async () => {
    const { client, url } = await cloned('branches');
    const branches = Array.from({ length: 101 }, (_, index) => `HEAD:refs/heads/together/${index}`);
    const push = () => client.git(['push', '--quiet', url, ...branches], { in: 'branches' });
    await push();
    const older = await client.commit('branches', {}, 'one');
    const newer = await client.commit('branches', {}, 'two');
    await push();
    await client.git(['push', '--quiet', '--delete', url, ...branches.map((each) => each.slice(5))], {
      in: 'branches',
    });
    await client.remove();
    await api.shown();
    const pushes = (await toRepository())
      .filter(({ event, body }) => event === 'push' && body.before !== NOTHING)
      .map(({ body }) => body);
    expect(pushes).to.have.length(101);
    for (const { commits, total_commits: total } of pushes)
      expect([(commits as { id: string }[]).map(({ id }) => id), total]).to.deep.equal([[newer, older], 2]);
  });

  it('has the beginning of the message of a commit that is very long', async () => {
    const { client, url } = await cloned('wordy');
    const beginning = 'x'.repeat(65_535);
    await client.commit('wordy', {}, `${beginning}🎈${'y'.repeat(10_000)}`);
    await client.git(['push', '--quiet', url, 'HEAD:refs/heads/main'], { in: 'wordy' });
    await client.remove();
    await api.shown();
    const [push] = await toRepository();
    expect((push?.body.head_commit as { message: string }).message).to.equal(beginning);
  });

  it('lists no commits once what one event is told with would be very large together', async () => {
    const { client, url } = await cloned('heavy');
    const refs = ['heavy/1', 'heavy/2', 'heavy/3'].map((branch) => `HEAD:refs/heads/${branch}`);
    await client.git(['push', '--quiet', url, ...refs], { in: 'heavy' });
    await api.shown();
    position = await connections.store.lastPosition();
    const head = await client.commit('heavy', {}, 'x'.repeat(60_000));
    await client.git(['push', '--quiet', url, ...refs], { in: 'heavy' });
    await client.remove();
    await api.shown();
    const room = 500_000; // for three hooks that are told the message twice, and no more of the kind
    const all = await told(room);
    const facts = all.map(({ hookId, body }) => {
      const { after, commits, head_commit: shown, total_commits: total } = body;
      return [hookId, after, (commits as { id: string }[]).map(({ id }) => id), shown !== null, total];
    });
    const hooks = [hook.repository, hook.organization, hook.system];
    expect(facts).to.deep.equal([
      ...hooks.map((id) => [id, head, [head], true, 1]),
      ...[...hooks, ...hooks].map((id) => [id, head, [], false, 1]),
    ]);
    expect(all.reduce((sum, { text }) => sum + text.length, 0)).to.be.below(room);
  });

  it('names authors by addresses that they do not hide, and by those that stand in for hidden ones', async () => {
    const email = (own: string) => ({ author: { name: 'somebody', email: own } });
    await made(ann.patch('/user/settings', { hide_email: true }));
    for (const [path, own] of [
      ['hidden', 'ann@example.org'],
      ['stand-in', 'ann@noreply.127.0.0.1'],
      ['shown', 'BOB@example.org'],
      ['unknown', 'nobody@example.org'],
    ] as const)
      await made(ann.post(`${REPO}/contents/${path}`, { content: 'eA==', branch: 'main', ...email(own) }));
    const all = await toRepository();
    await made(ann.patch('/user/settings', { hide_email: false }));
    const authors = all.map(({ body }) => {
      const [commit] = body.commits as { author: { username: string } }[];
      return commit?.author.username;
    });
    expect(authors).to.deep.equal(['', 'ann', 'bob', '']);
  });

  it('does not name authors whom not everybody may know of', async () => {
    await api.createUser('hermit');
    await made(api.admin.patch('/admin/users/hermit', { visibility: 'limited' }));
    for (const [path, own] of [
      ['limited', 'hermit@example.org'],
      ['limited-too', 'hermit@noreply.127.0.0.1'],
    ] as const)
      await made(
        ann.post(`${REPO}/contents/${path}`, {
          content: 'eA==',
          branch: 'main',
          author: { name: 'somebody', email: own },
        }),
      );
    const usernames = (await toRepository()).map(
      ({ body }) => (body.head_commit as { author: { username: string } }).author.username,
    );
    expect(usernames).to.deep.equal(['', '']);
  });

  it('of branches and tags that come and go is told in order', async () => {
    await made(ann.post(`${REPO}/branches`, { new_branch_name: 'feature/one' }));
    await made(ann.delete(`${REPO}/branches/feature%2Fone`));
    await made(ann.post(`${REPO}/tags`, { tag_name: 'v1', message: 'the first' }));
    await made(ann.delete(`${REPO}/tags/v1`));
    const all = await toRepository();
    expect(kinds(all)).to.deep.equal([
      'create create',
      'push push',
      'delete delete',
      'push push',
      'create create',
      'push push',
      'delete delete',
    ]);
    const [created, pushed, deleted, tagPushed, tagCreated, tagGone, tagDeleted] = all.map(
      ({ body }) => body,
    );
    const head = created?.sha;
    expect(created).to.include({ ref: 'refs/heads/feature/one', ref_type: 'branch' });
    expect(pushed).to.include({ before: NOTHING, after: head });
    expect(deleted).to.include({ ref: 'refs/heads/feature/one', ref_type: 'branch', pusher_type: 'user' });
    expect(deleted).not.to.have.property('sha');
    expect(tagCreated).to.include({ ref: 'refs/tags/v1', ref_type: 'tag', sha: head });
    expect(tagPushed).to.deep.include({
      ref: 'refs/tags/v1',
      before: NOTHING,
      commits: [],
      total_commits: 0,
    });
    expect(tagPushed?.head_commit).to.include({ id: head });
    expect(tagPushed?.compare_url).to.contain(`/compare/${NOTHING}...`);
    expect(tagGone).to.deep.include({ after: NOTHING, head_commit: null, compare_url: `${api.url()}/` });
    expect(tagDeleted).to.include({ ref: 'refs/tags/v1', ref_type: 'tag' });
  });

  it('of a new branch with many commits lists the five newest, and counts ten at most', async () => {
    await made(ann.post(`${REPO}/branches`, { new_branch_name: 'many' }));
    for (let nth = 1; nth <= 11; nth++) await commit('many', `many-${nth}`);
    position = await connections.store.lastPosition();
    const more = { content: 'eA==', message: 'adds more\n', branch: 'many', new_branch: 'more' };
    await made(ann.post(`${REPO}/contents/more`, more));
    const body = (await toRepository()).find(({ event }) => event === 'push')?.body;
    expect((body?.commits as Body[]).map(({ message }) => message)).to.deep.equal(
      ['more', 'many-11', 'many-10', 'many-9', 'many-8'].map((path) => `adds ${path}\n`),
    );
    expect(body).to.deep.include({ total_commits: 10, head_commit: (body?.commits as Body[])[0] });
  });

  it('compares a new branch that begins where everything does with the default branch', async () => {
    await made(ann.post('/orgs/acme/repos', { name: 'signs', auto_init: true, default_branch: 'a#b/ü' }));
    await made(ann.post('/repos/acme/signs/branches', { new_branch_name: 'other' }));
    const pushed = (await told()).filter(
      ({ hookId, key }) => hookId === hook.organization && key.endsWith('/other'),
    );
    const push = pushed.find(({ event }) => event === 'push')?.body;
    expect(push?.compare_url).to.equal(
      `${api.url()}/acme/signs/compare/a%23b/%C3%BC...${String(push?.after)}`,
    );
    await ann.delete('/repos/acme/signs');
  });

  it('is left out where the filter of a hook says so, and short for hooks of Gitea', async () => {
    const own = await hooked(`${REPO}/hooks`, {
      type: 'gitea',
      branch_filter: '{master,feature*}',
      events: ['create', 'push', 'delete'],
    });
    for (const name of ['feature/7791', 'fix_weird_bug'])
      await made(ann.post(`${REPO}/branches`, { new_branch_name: name }));
    await made(ann.post(`${REPO}/tags`, { tag_name: 'v2' }));
    const all = (await told()).filter(({ hookId }) => hookId === own);
    expect(all.map(({ body }) => body.ref)).to.deep.equal([
      'feature/7791',
      'refs/heads/feature/7791',
      'refs/tags/v2',
      'v2',
    ]);
    expect(all[0]?.text).not.to.include('\n');
    expect((await ann.delete(`${REPO}/hooks/${own}`)).status).to.equal(204);
  });

  it('of an issue is what it was then', async () => {
    const label = (await made(ann.post(`${REPO}/labels`, { name: 'bug', color: '#f00' }))) as { id: number };
    const milestone = (await made(ann.post(`${REPO}/milestones`, { title: 'v1' }))) as { id: number };
    await made(ann.post(`${REPO}/issues`, { title: 'It fails', body: 'so' }));
    const ISSUE = `${REPO}/issues/1`;
    await made(ann.patch(ISSUE, { title: 'It works' }));
    await made(ann.patch(ISSUE, { body: 'not' }));
    await made(ann.patch(ISSUE, { state: 'closed' }));
    await made(ann.patch(ISSUE, { state: 'open' }));
    await made(ann.patch(ISSUE, { assignees: ['ann'] }));
    await made(ann.patch(ISSUE, { assignees: [] }));
    await made(ann.post(`${ISSUE}/labels`, { labels: [label.id] }));
    await made(ann.delete(`${ISSUE}/labels`));
    await made(ann.patch(ISSUE, { milestone: milestone.id }));
    await made(ann.patch(ISSUE, { milestone: 0 }));
    await made(ann.patch(ISSUE, { due_date: '2030-01-02T03:04:05Z' }));
    const all = await toRepository();
    const facts = all.map(({ eventType, body }) => {
      const issue = body.issue as Body;
      return [eventType, body.action, issue.title, issue.state, body.changes];
    });
    expect(facts).to.deep.equal([
      ['issues', 'opened', 'It fails', 'open', undefined],
      ['issues', 'edited', 'It works', 'open', { title: { from: 'It fails' } }],
      ['issues', 'edited', 'It works', 'open', { body: { from: 'so' } }],
      ['issues', 'closed', 'It works', 'closed', undefined],
      ['issues', 'reopened', 'It works', 'open', undefined],
      ['issue_assign', 'assigned', 'It works', 'open', undefined],
      ['issue_assign', 'unassigned', 'It works', 'open', undefined],
      ['issue_label', 'label_updated', 'It works', 'open', undefined],
      ['issue_label', 'label_cleared', 'It works', 'open', undefined],
      ['issue_milestone', 'milestoned', 'It works', 'open', undefined],
      ['issue_milestone', 'demilestoned', 'It works', 'open', undefined],
    ]);
    expect(new Set(all.map(({ event }) => event))).to.deep.equal(new Set(['issues']));
    expect(all[0]?.body).to.include({ number: 1, commit_id: '' });
    expect(all[0]?.body.issue).to.deep.include({ body: 'so', number: 1, assignees: [] });
    expect((all[5]?.body.issue as { assignees: object[] }).assignees).to.have.length(1);
    for (const field of ['label', 'pull_request']) expect(all[0]?.body).not.to.have.property(field);
    expect(all[0]?.body.sender).to.include({ login: 'ann' });
  });

  it('of an issue that is opened with all there is tells each of it', async () => {
    const label = await made(ann.post(`${REPO}/labels`, { name: 'early', color: 'fff' }));
    const milestone = await made(ann.post(`${REPO}/milestones`, { title: 'early' }));
    const fields = { labels: [label.id], milestone: milestone.id, assignees: ['ann'], closed: true };
    await made(ann.post(`${REPO}/issues`, { title: 'whole', ...fields }));
    expect((await toRepository()).map(({ eventType, body }) => [eventType, body.action])).to.deep.equal([
      ['issues', 'opened'],
      ['issue_assign', 'assigned'],
      ['issue_label', 'label_updated'],
      ['issue_milestone', 'milestoned'],
      ['issues', 'closed'],
    ]);
  });

  it('of an issue that was opened shows what it was opened with, whatever came later', async () => {
    const label = await made(ann.post(`${REPO}/labels`, { name: 'brief', color: 'fff' }));
    const milestone = await made(ann.post(`${REPO}/milestones`, { title: 'brief' }));
    const fields = { labels: [label.id], milestone: milestone.id, due_date: '2030-01-02T03:04:05Z' };
    const { number } = await made(ann.post(`${REPO}/issues`, { title: 'brief', ...fields }));
    const ISSUE = `${REPO}/issues/${String(number)}`;
    await made(ann.delete(`${ISSUE}/labels`));
    await made(ann.patch(ISSUE, { milestone: 0, unset_due_date: true }));
    const all = (await toRepository()).map(({ body }) => ({
      action: body.action,
      issue: body.issue as Body,
    }));
    const milestoned = all.find(({ action }) => action === 'milestoned');
    expect(milestoned?.issue.milestone).to.include({ title: 'brief' });
    const [opened] = all;
    expect(opened?.issue).to.include({ due_date: '2030-01-02T03:04:05Z' });
    expect(opened?.issue.milestone).to.include({ title: 'brief' });
    expect((opened?.issue.labels as Body[]).map(({ name }) => name)).to.deep.equal(['brief']);
  });

  it('of a milestone that is gone shows none, also if another one has its id as the title', async () => {
    const gone = await made(ann.post(`${REPO}/milestones`, { title: 'gone' }));
    const title = String(gone.id);
    await made(ann.post(`${REPO}/issues`, { title: 'planned', milestone: gone.id }));
    expect((await ann.delete(`${REPO}/milestones/${title}`)).status).to.equal(204);
    await made(ann.post(`${REPO}/milestones`, { title }));
    const issues = (await toRepository()).map(({ body }) => body.issue as Body);
    expect(issues.map(({ milestone }) => milestone)).to.deep.equal([null, null]);
  });

  it('of an issue that is gone is still told, as each event left it', async () => {
    const { id, number } = await made(ann.post(`${REPO}/issues`, { title: 'short', body: 'life' }));
    const ISSUE = `${REPO}/issues/${String(number)}`;
    await made(ann.post(`${ISSUE}/comments`, { body: 'said' }));
    await made(ann.patch(ISSUE, { title: 'shorter', state: 'closed' }));
    expect((await ann.delete(ISSUE)).status).to.equal(204);
    expect((await ann.get(ISSUE)).status).to.equal(404); // once the read models have it
    const all = await toRepository();
    expect(
      all.map(({ body }) => {
        const issue = body.issue as Body;
        return [body.action, issue.id, issue.number, issue.title, issue.body, issue.state, issue.comments];
      }),
    ).to.deep.equal([
      ['opened', id, number, 'short', 'life', 'open', 0],
      ['created', id, number, 'short', 'life', 'open', 1],
      ['edited', id, number, 'shorter', 'life', 'open', 1],
      ['closed', id, number, 'shorter', 'life', 'closed', 1],
    ]);
    expect(all[1]?.body.comment).to.include({ body: 'said' });
    expect((all[3]?.body.issue as Body).closed_at).to.be.a('string');
  });

  it('of a comment is what it was then, and at last', async () => {
    const say = async (text: string) =>
      (await made(ann.post(`${REPO}/issues/1/comments`, { body: text }))) as { id: number };
    const { id } = await say('one');
    await made(ann.patch(`${REPO}/issues/comments/${id}`, { body: 'two' }));
    const { id: other } = await say('of another');
    await made(ann.patch(`${REPO}/issues/comments/${other}`, { body: 'of another still' }));
    await made(ann.patch(`${REPO}/issues/comments/${id}`, { body: 'three' }));
    await made(ann.delete(`${REPO}/issues/comments/${id}`));
    const all = (await toRepository()).filter((sent) => (sent.body.comment as Body).id === id);
    expect(new Set(kinds(all))).to.deep.equal(new Set(['issue_comment issue_comment']));
    expect(all.map(({ body }) => [body.action, (body.comment as Body).body, body.changes])).to.deep.equal([
      ['created', 'one', undefined],
      ['edited', 'two', { body: { from: 'one' } }],
      ['edited', 'three', { body: { from: 'two' } }],
      ['deleted', 'three', undefined],
    ]);
    for (const { body } of all) {
      expect(body).to.include({ is_pull: false });
      expect(body.comment).to.include({ id });
      expect(body.issue).to.include({ number: 1 });
    }
  });

  it('of a new repository goes to its owner and the server', async () => {
    await made(ann.post('/orgs/acme/repos', { name: 'new', auto_init: true }));
    const all = await told();
    expect(all.map(({ hookId }) => hookId)).to.deep.equal([hook.organization, hook.system]);
    expect(new Set(kinds(all))).to.deep.equal(new Set(['repository repository']));
    expect(all[0]?.body).to.include({ action: 'created' });
    expect(all[0]?.body.organization).to.include({ login: 'acme' });
    expect(all[0]?.body.repository).to.include({ name: 'new' });
    expect(all[0]?.text).to.match(/^\{\n "/);
  });

  it('of a fork goes to the hooks of the original', async () => {
    await made(api.admin.post(`${REPO}/forks?sudo=bob`, {}));
    const all = await told();
    expect(all.map(({ hookId, event }) => [hookId, event])).to.deep.equal([
      [hook.repository, 'fork'],
      [hook.organization, 'fork'],
      [hook.system, 'fork'],
    ]);
    expect(all[0]?.body.forkee).to.include({ full_name: 'acme/project' });
    expect(all[0]?.body.repository).to.include({ full_name: 'bob/project', fork: true });
    expect(all[0]?.body.sender).to.include({ login: 'bob' });
  });

  it('of a fork in an organization goes to its hooks as a new repository', async () => {
    await made(ann.post('/orgs', { username: 'forkers' }));
    const own = await hooked('/orgs/forkers/hooks');
    await made(ann.post(`${REPO}/forks`, { organization: 'forkers' }));
    const all = await told();
    expect(all.map(({ hookId, event, body }) => [hookId, event, body.action])).to.deep.equal([
      [hook.repository, 'fork', undefined],
      [hook.organization, 'fork', undefined],
      [hook.system, 'fork', undefined],
      [own, 'repository', 'created'],
      [hook.system, 'repository', 'created'],
    ]);
    expect(all[3]?.body.organization).to.include({ login: 'forkers' });
    expect(all[3]?.body.repository).to.include({ full_name: 'forkers/project' });
  });

  it('of a fork whose owner is hidden goes to nobody with hooks of the original', async () => {
    await made(ann.post('/orgs', { username: 'hideout', visibility: 'private' }));
    await made(ann.post(`${REPO}/forks`, { organization: 'hideout' }));
    const all = await told();
    expect(all.map(({ hookId, event }) => [hookId, event])).to.deep.equal([
      [hook.system, 'fork'],
      [hook.system, 'repository'],
    ]);
  });

  it('goes to the hooks of a user for the repositories that the user owns', async () => {
    const mine = await hooked('/user/hooks');
    const { id } = (await made(ann.post('/user/repos', { name: 'mine' }))) as { id: number };
    await made(ann.post('/repos/ann/mine/issues', { title: 'own' }));
    await made(ann.post(`${REPO}/issues`, { title: 'of acme' }));
    const all = (await told()).filter(({ hookId }) => hookId === mine);
    expect(kinds(all)).to.deep.equal(['repository repository', 'issues issues']);
    expect(await findHookTarget(services, mine, id)).to.include({ secret: 's3cret' });
    await made(api.admin.post('/repos/ann/mine/transfer', { new_owner: 'acme' }));
    expect(await findHookTarget(services, mine, id)).to.equal(undefined);
    expect((await ann.delete(`/user/hooks/${mine}`)).status).to.equal(204);
  });

  it('is nothing that happened before the hook was there', async () => {
    await commit('main', 'third');
    const late = await hooked(`${REPO}/hooks`);
    await commit('main', 'fourth');
    const all = (await told()).filter(({ hookId }) => hookId === late);
    expect(all).to.have.length(1);
    expect((await ann.delete(`${REPO}/hooks/${late}`)).status).to.equal(204);
  });

  it('reaches the hook where it is now, as long as it may know of the repository', async () => {
    const { id } = (await made(ann.post('/orgs/acme/repos', { name: 'moving' }))) as { id: number };
    const own = await hooked('/repos/acme/moving/hooks', { authorization_header: 'Bearer xyz' });
    const target = { url: 'https://example.org/', contentType: 'json', secret: 's3cret' };
    expect(await findHookTarget(services, own, id)).to.deep.equal({
      ...target,
      authorizationHeader: 'Bearer xyz',
    });
    expect(await findHookTarget(services, hook.organization, id)).to.deep.equal(target);
    expect(await findHookTarget(services, hook.repository, id)).to.equal(undefined);
    for (const secret of ['another', '']) {
      await made(ann.patch(`/repos/acme/moving/hooks/${own}`, { config: { secret } }));
      const signing = (await findHookTarget(services, own, id))?.secret ?? '';
      expect(signing, 'the secret can be changed, and taken away').to.equal(secret);
    }
    await made(ann.patch('/repos/acme/moving/hooks/' + String(own), { active: false }));
    expect(await findHookTarget(services, own, id)).to.equal(undefined);
    expect(await findHookTarget(services, 999_999)).to.equal(undefined);
    await made(api.admin.post('/repos/acme/moving/transfer', { new_owner: 'bob' }));
    expect(await findHookTarget(services, hook.organization, id)).to.equal(undefined);
    expect(await findHookTarget(services, hook.system, id)).to.deep.equal(target);
  });

  it('reaches the hook with the secrets of one moment, and those that were replaced are forgotten', async () => {
    const { log, vault } = connections;
    const own = await hooked('/user/hooks', { authorization_header: 'Bearer before' });
    const before = { url: 'https://example.org/', secret: 's3cret', authorizationHeader: 'Bearer before' };
    // As when somebody is cut off, or about to go on, between the vault and the event.
    await vault.hookSecrets.keep(own, 'authorization', 'Bearer after');
    expect(await findHookTarget(services, own)).to.include(before);

    position = await connections.store.lastPosition();
    const url = 'https://example.com/';
    await made(ann.patch(`/user/hooks/${own}`, { config: { url }, authorization_header: 'Bearer after' }));
    const after = { url, secret: 's3cret', authorizationHeader: 'Bearer after' };
    expect(await findHookTarget(services, own)).to.include(after);
    const texts = async () => [...(await vault.hookSecrets.findEach([own])).values()].sort();
    expect(await texts()).to.deep.equal(['Bearer after', 'Bearer after', 'Bearer before', 's3cret']);
    const follow = following(new CommandHandler({ log }));
    for (const event of await happened()) await follow(event)?.();
    expect(await texts()).to.deep.equal(['Bearer after', 'Bearer after', 's3cret']);
    expect(await findHookTarget(services, own)).to.include(after);

    await vault.hookSecrets.forget(own);
    expect(await findHookTarget(services, own), 'nothing goes out unsigned').to.equal(undefined);
    expect((await ann.delete(`/user/hooks/${own}`)).status).to.equal(204);
  });

  it('of each kind has the fields of its kind, and shows things as the API does', async () => {
    const PLACE = '/repos/acme/whole';
    await made(ann.post('/orgs/acme/repos', { name: 'whole', auto_init: true }));
    await made(ann.post(`${PLACE}/branches`, { new_branch_name: 'other' }));
    expect((await ann.delete(`${PLACE}/branches/other`)).status).to.equal(204);
    await made(api.admin.post(`${PLACE}/forks?sudo=bob`, { name: 'whole-fork' }));
    const label = await made(ann.post(`${PLACE}/labels`, { name: 'bug', color: '#f00' }));
    const milestone = await made(ann.post(`${PLACE}/milestones`, { title: 'v1' }));
    await made(ann.post(`${PLACE}/issues`, { title: 'It fails' }));
    const ISSUE = `${PLACE}/issues/1`;
    for (const change of [
      { body: 'so' },
      ...[{ state: 'closed' }, { state: 'open' }, { assignees: ['ann'] }, { assignees: [] }],
      ...[{ milestone: milestone.id }, { milestone: 0 }],
    ])
      await made(ann.patch(ISSUE, change));
    await made(ann.post(`${ISSUE}/labels`, { labels: [label.id] }));
    expect((await ann.delete(`${ISSUE}/labels`)).status).to.equal(204);
    const comment = await made(ann.post(`${ISSUE}/comments`, { body: 'one' }));
    const COMMENT = `${PLACE}/issues/comments/${String(comment.id)}`;
    await made(ann.patch(COMMENT, { body: 'two' }));
    expect((await ann.delete(COMMENT)).status).to.equal(204);
    const notOfEach = ['internal_tracker', 'permissions']; // forks have no issues, and hooks no rights
    const fieldsAt = async (path: string) =>
      Object.keys((await api.anonymous.get(path)).json as object).filter(
        (field) => !notOfEach.includes(field),
      );
    const shown = {
      repository: await fieldsAt(PLACE),
      issue: await fieldsAt(ISSUE),
      comment: Object.keys(comment),
      sender: await fieldsAt('/users/ann'),
    };
    expect((await ann.delete(PLACE)).status).to.equal(204);

    const kinds = new Set<string>();
    for (const { hookId, event, eventType, body } of await told()) {
      if (hookId !== hook.system) continue;
      const kind = typeof body.action === 'string' ? `${eventType} ${body.action}` : eventType;
      kinds.add(kind);
      expect(body, kind).to.have.all.keys('repository', 'sender', ...(FIELDS[kind] ?? []));
      const family = /^issue_(?:assign|label|milestone)$/.test(eventType) ? 'issues' : eventType;
      expect(event, kind).to.equal(family);
      for (const [field, fields] of Object.entries(shown))
        if (field in body) expect(body[field], `${field} of ${kind}`).to.include.all.keys(fields);
      for (const commit of (body.commits ?? []) as { author: object; committer: object }[]) {
        expect(commit).to.have.all.keys(
          ...['id', 'message', 'url', 'author', 'committer', 'verification', 'timestamp'],
          ...['added', 'removed', 'modified'],
        );
        for (const person of [commit.author, commit.committer])
          expect(person).to.have.all.keys('name', 'email', 'username');
      }
    }
    expect([...kinds]).to.have.members(Object.keys(FIELDS));
  });

  it('of the end of a repository reaches its own hooks too', async () => {
    const { id } = (await ann.get(REPO)).json as { id: number };
    await made(ann.delete(REPO));
    const all = await told();
    const places = [hook.repository, hook.organization, hook.system];
    expect(all.map(({ hookId, repositoryId }) => [hookId, repositoryId])).to.deep.equal(
      places.map((hookId) => [hookId, id]),
    );
    expect(all[0]?.body).to.include({ action: 'deleted' });
    expect(all[0]?.body.repository).to.include({ full_name: 'acme/project' });
    expect(all[0]?.body.organization).to.include({ login: 'acme' });
    for (const place of places)
      expect(await findHookTarget(services, place, id)).to.include({ url: 'https://example.org/' });
    expect(await findHookTarget(services, await hooked('/user/hooks'), id)).to.equal(undefined);
  });

  it('that waits when what the hooks belong to is deleted is still sent where they led', async () => {
    const clara = await api.createUser('clara');
    const repository = async (name: string) => (await made(clara.post('/user/repos', { name }))).id as number;
    const [project, given] = [await repository('project'), await repository('given')];
    const [own, hers] = [
      await hooked('/repos/clara/project/hooks', {}, clara),
      await hooked('/user/hooks', {}, clara),
    ];
    await made(api.admin.post('/repos/clara/given/transfer', { new_owner: 'acme' }));
    const deliveries = new Deliveries(connections.db);
    const waiting = [
      { hookId: own, repositoryId: project },
      { hookId: hers, repositoryId: project },
      { hookId: hers, repositoryId: given },
      { hookId: hers },
    ];
    for (const place of waiting)
      await deliveries.send({ ...place, key: '', event: '', eventType: '', payload: '' }, randomUUID());
    position = await connections.store.lastPosition();
    expect((await api.admin.delete('/admin/users/clara?purge=true')).status).to.equal(204);
    const follow = following(new CommandHandler({ log: connections.log }));
    for (let times = 0; times < 2; times++) {
      for (const event of await happened()) await follow(event)?.();
      await api.shown();
    }
    const rows = await connections.db.rows<{ id: string; hookId: number; frozen: Buffer; about: number }>(sql`
      select id, hook_id as "hookId", frozen, repository_id as about from deliveries.deliveries
      where hook_id = any(${[own, hers]}::int8[]) order by sequence`);
    expect(rows.map(({ hookId, about }) => [hookId, about])).to.deep.equal([
      [own, project],
      [hers, project],
      [hers, null],
    ]);
    for (const { id, frozen } of rows) expect(thaw(KEY, id, frozen)).to.include({ secret: 's3cret' });
  });

  it('of the end of a repository shows it as it was in the end', async () => {
    await made(ann.post('/orgs/acme/repos', { name: 'old' }));
    await made(ann.put('/repos/acme/old/topics', { topics: ['history'] }));
    await made(ann.patch('/repos/acme/old', { archived: true }));
    const { archived_at } = (await ann.get('/repos/acme/old')).json as Body;
    position = await connections.store.lastPosition();
    await made(ann.delete('/repos/acme/old'));
    const [deletion] = await told();
    expect(deletion?.body.repository).to.deep.include({
      archived: true,
      archived_at,
      empty: true,
      topics: ['history'],
    });
  });

  it('of the end of a repository is told where its owner went with it, unless that was erased', async () => {
    for (const [name, query, expected] of [
      ['eve', 'purge=true', [['deleted', 'eve/project']]],
      ['eva', 'purge=true&erase=true', []],
    ] as const) {
      const owner = await api.createUser(name);
      await made(owner.post('/user/repos', { name: 'project' }));
      position = await connections.store.lastPosition();
      expect((await api.admin.delete(`/admin/users/${name}?${query}`)).status).to.equal(204);
      const all = await told();
      expect(all.map(({ hookId }) => hookId)).to.deep.equal(expected.map(() => hook.system));
      const shown = all.map(({ body }) => [body.action, (body.repository as Body).full_name]);
      expect(shown).to.deep.equal(expected);
    }
  });

  it('ends with what the hooks belong to, however often that is said', async () => {
    const { db, vault } = connections;
    const commands = new CommandHandler({ log: connections.log });
    const { id } = (await made(ann.post('/orgs/acme/repos', { name: 'short-lived' }))) as { id: number };
    const own = await hooked('/repos/acme/short-lived/hooks');
    await made(ann.delete('/repos/acme/short-lived'));
    expect(await findHookTarget(services, own)).to.include({ secret: 's3cret' });
    for (let times = 0; times < 2; times++) {
      const context = { commandId: randomUUID(), at: new Date().toISOString() };
      await retireHooks({ db, vault, commands }, { scope: 'repository', ownerId: id }, context);
    }
    expect(await vault.hookSecrets.findEach([own])).to.have.property('size', 0);
    await made(ann.patch('/orgs/acme', { description: 'a write of its own waits for the read models' }));
    expect(await findHookTarget(services, own)).to.equal(undefined);
    expect(await findHookTarget(services, hook.organization)).to.include({ secret: 's3cret' });
  });

  it('ends with the account that the hooks belong to', async () => {
    const carol = await api.createUser('carol');
    const own = await hooked('/user/hooks', {}, carol);
    position = await connections.store.lastPosition();
    expect((await api.admin.delete('/admin/users/carol')).status).to.equal(204);
    const commands = new CommandHandler({ log: connections.log });
    const follow = following(commands);
    for (const event of await happened()) await follow(event)?.();
    expect(await connections.vault.hookSecrets.findEach([own])).to.have.property('size', 0);
    await made(ann.patch('/orgs/acme', { description: 'and again' }));
    expect(await findHookTarget(services, own)).to.equal(undefined);
  });

  it('settles the edit of an account that was cut off', async () => {
    const dora = await api.createUser('dora');
    const { credentials } = connections.vault;
    position = await connections.store.lastPosition();
    const id = randomUUID();
    await credentials.announce(dora.id, { id, password: 'another password' });
    const commands = new CommandHandler({ log: connections.log });
    const at = new Date().toISOString();
    const data = { accountId: dora.id, settings: {}, profile: {}, newPassword: true, editId: id, at };
    await commands.handle(Account, dora.id, { type: 'EditAccount', data }, { commandId: randomUUID(), at });
    const follow = following(commands);
    for (const event of await happened()) await follow(event)?.();
    expect(await credentials.verify(dora.id, 'another password')).to.equal(true);
    expect(await credentials.isAnnounced(dora.id)).to.equal(false);
  });

  it('takes the secrets of a hook along whose deletion was cut off', async () => {
    const own = await hooked('/user/hooks');
    position = await connections.store.lastPosition();
    await made(ann.delete(`/user/hooks/${own}`));
    await connections.vault.hookSecrets.keep(own, 'secret', 'left');
    const commands = new CommandHandler({ log: connections.log });
    const follow = following(commands);
    for (const event of await happened()) await follow(event)?.();
    expect(await connections.vault.hookSecrets.findEach([own])).to.have.property('size', 0);
  });

  it('of an account that gets full goes to its own hooks and those of the server', async () => {
    const events = ['quota_threshold'];
    const [system, organization] = [
      await hooked('/admin/hooks', { events }, api.admin),
      await hooked('/orgs/acme/hooks', { events }),
    ];
    const rules = [{ name: 'little', limit: 10_000, subjects: ['size:git:lfs'] }];
    await made(api.admin.post('/admin/quota/groups', { name: 'lfs', rules }));
    await made(api.admin.put('/admin/quota/groups/lfs/users/acme'));
    const { id } = (await ann.get('/orgs/acme')).json as { id: number };
    const storage = new Storage({ commands: services.commands as CommandHandler, limited: true });
    const object = { objectId: 'large', subject: 'size:git:lfs', bytes: 9_000n } as const;
    const context = { commandId: randomUUID(), at: new Date().toISOString() };
    position = await connections.store.lastPosition();
    await storage.record(id, object, context);
    await api.shown();
    const all = (await told()).filter(({ event }) => event === 'quota_threshold');
    expect(all.map(({ hookId, body }) => [hookId, body.percent])).to.deep.equal([
      [organization, 80],
      [system, 80],
      [organization, 90],
      [system, 90],
    ]);
    const account = all[0]?.body.account;
    expect(account).to.deep.include({ id, login: 'acme' });
    expect(all[0]?.body).to.deep.include({
      action: 'reached',
      group: 'lfs',
      rule: 'little',
      subjects: ['size:git:lfs'],
      limit: 10_000,
      used: 9_000,
      sender: account,
    });
  });
});
