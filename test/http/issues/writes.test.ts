import { expect } from 'chai';
import type { Route } from '../../../src/http/route.js';
import { allRoutes } from '../../support/all-routes.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import { appendedAfter } from '../../support/appended-after.js';
import type { TestAnswer } from '../../support/client.js';

/** What is sent where something is, by the operation id without its spelling; nothing to the others. */
const BODIES: Readonly<Record<string, object>> = {
  issueCreateIssue: { title: 'x' },
  issueEditIssue: { title: 'x' },
  issueEditIssueDeadline: { due_date: '2031-01-01T00:00:00Z' },
  issueCreateComment: { body: 'x' },
  issueEditComment: { body: 'x' },
  issueEditCommentDeprecated: { body: 'x' },
  issueAddLabel: { labels: ['other'] },
  issueReplaceLabels: { labels: ['other'] },
  issueCreateLabel: { name: 'x', color: 'fff' },
  issueEditLabel: { color: 'fff' },
  issueCreateMilestone: { title: 'x' },
  issueEditMilestone: { description: 'x' },
};

const isOfIssues = ({ scopes: [scope, ...others] }: Route) => scope === 'issue' && others.length === 0;
const writes = allRoutes.filter((route) => isOfIssues(route) && route.method !== 'GET');
const answering = (status: number) => writes.filter(({ answers }) => status in answers);

describe('writes to issues', () => {
  let api: TestApi;
  let ann: TestUser;
  const ids = { comments: 0, labels: 0, milestones: 0 };
  let tag: string;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    await made(ann.post('/user/repos', { name: 'project' }));
    ids.labels = await made(ann.post('/repos/ann/project/labels', { name: 'bug', color: 'f00' }));
    await made(ann.post('/repos/ann/project/labels', { name: 'other', color: 'f00' }));
    ids.milestones = await made(ann.post('/repos/ann/project/milestones', { title: 'v1' }));
    await made(ann.post('/repos/ann/project/issues', { title: 'one', labels: [ids.labels] }));
    tag = (await ann.get('/repos/ann/project/issues/1')).headers.get('etag') ?? '';
    ids.comments = await made(ann.post('/repos/ann/project/issues/1/comments', { body: 'said' }));
  });
  after(() => api.stop());

  const made = async (answer: Promise<TestAnswer>): Promise<number> => {
    const { status, text, json } = await answer;
    expect(status, text).to.equal(201);
    return (json as { id: number }).id;
  };

  const send = ({ id, method, path }: Route, headers = {}) => {
    const kind = (['comments', 'labels', 'milestones'] as const).find((each) =>
      path.includes(`/${each}/{id}`),
    );
    const place = path
      .replace('{owner}/{repo}', 'ann/project')
      .replace('{index}', '1')
      .replace('{id}', String(kind && ids[kind]));
    return ann.send(method, place, BODIES[id.replace(/At(?:Singular|Plural)$/, '')], headers);
  };
  const read = async () =>
    Promise.all(
      ['issues/1', 'issues/1/comments', 'issues?state=all', 'labels', 'milestones'].map(
        async (path) => (await ann.get(`/repos/ann/project/${path}`)).text,
      ),
    );

  it('take the tag of the issue wherever they change one', () => {
    const changing = writes.filter(
      ({ id, path }) => /\{index\}|comments\/\{id\}/.test(path) && !id.startsWith('issueCreateComment'),
    );
    expect(answering(412)).to.have.members(changing);
  });

  it('change nothing where another writer was first', async () => {
    const before = await read();
    for (const route of answering(412))
      expect((await send(route, { 'if-match': tag })).status, route.id).to.equal(412);
    expect(await read()).to.deep.equal(before);
  });

  it('change nothing in a repository that is archived by the log, though the read models are late', async () => {
    const before = await read();
    const position = await api.connections.store.lastPosition();
    await api.pauseProjector();
    const archiving = api.admin.patch('/repos/ann/project', { archived: true });
    await appendedAfter(api.connections.log, position, 'RepositoryArchived');
    const answers: [string, number][] = [];
    for (const route of answering(423)) answers.push([route.id, (await send(route)).status]);
    api.resumeProjector();
    expect((await archiving).status).to.equal(200);
    expect(answers.filter(([, status]) => status !== 423)).to.deep.equal([]);
    expect((await ann.patch('/repos/ann/project', { archived: false })).status).to.equal(200);
    expect(await read()).to.deep.equal(before);
  });

  it('change nothing in an archived repository, save that a comment may be taken back', async () => {
    expect((await ann.patch('/repos/ann/project', { archived: true })).status).to.equal(200);
    const before = await read();
    for (const route of answering(423)) expect((await send(route)).status, route.id).to.equal(423);
    expect(await read()).to.deep.equal(before);
    const open = writes.filter((route) => !(423 in route.answers)).map(({ id }) => id);
    expect(open.every((id) => id.startsWith('issueDeleteComment'))).to.equal(true);
    expect((await ann.delete(`/repos/ann/project/issues/comments/${ids.comments}`)).status).to.equal(204);
  });
});
