import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

const REPO = '/repos/ann/project';

describe('issues', () => {
  let api: TestApi;
  let ann: TestUser;
  let bob: TestUser;
  let writer: TestUser;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    writer = await api.createUser('writer');
    for (const name of ['project', 'races', 'archived'])
      expect((await ann.post('/user/repos', { name })).status).to.equal(201);
    expect((await ann.post('/user/repos', { name: 'secret', private: true })).status).to.equal(201);
    expect((await ann.put(`${REPO}/collaborators/writer`, { permission: 'write' })).status).to.equal(204);
  });
  after(() => api.stop());

  const open = async (client: Client, fields: object, repo = REPO): Promise<Issue> => {
    const { status, json, text } = await client.post(`${repo}/issues`, fields);
    expect(status, text).to.equal(201);
    return json as Issue;
  };
  const get = async (number: number, repo = REPO): Promise<Issue> =>
    (await ann.get(`${repo}/issues/${number}`)).json as Issue;
  const numbers = ({ json }: { json: unknown }) => (json as Issue[]).map(({ number }) => number);

  it('are opened with every field that clients know', async () => {
    const label = (await ann.post(`${REPO}/labels`, { name: 'bug', color: '#f00' })).json as { id: number };
    const milestone = (await ann.post(`${REPO}/milestones`, { title: 'v1' })).json as { id: number };
    const issue = await open(ann, {
      title: ' It fails ',
      body: 'text',
      assignees: ['Writer'],
      labels: [label.id, 999_999],
      milestone: milestone.id,
      due_date: '2030-01-02T03:04:05Z',
      ref: 'refs/heads/main',
    });
    expect(issue).to.deep.include({
      number: 1,
      title: 'It fails',
      body: 'text',
      state: 'open',
      url: `${api.url()}/api/v1${REPO}/issues/1`,
      html_url: `${api.url()}/ann/project/issues/1`,
      comments: 0,
      closed_at: null,
      due_date: '2030-01-02T03:04:05Z',
      is_locked: false,
      assets: [],
      pull_request: null,
      original_author: '',
      original_author_id: 0,
      pin_order: 0,
      ref: 'refs/heads/main',
    });
    expect(issue.user).to.include({ login: 'ann' });
    expect(issue.assignee).to.include({ login: 'writer' });
    expect(issue.assignees).to.have.length(1);
    expect(issue.labels).to.have.length(1);
    expect((issue.labels as object[])[0]).to.include({ id: label.id, name: 'bug', color: 'ff0000' });
    expect(issue.milestone).to.include({ id: milestone.id, title: 'v1', open_issues: 1 });
    expect(issue.repository).to.include({ name: 'project', owner: 'ann', full_name: 'ann/project' });
    expect((await ann.get(REPO)).json).to.include({ open_issues_count: 1 });
  });

  it('of those who may not write have title and body alone', async () => {
    const issue = await open(bob, { title: 'mine', assignees: ['nobody'], labels: [1], milestone: 77 });
    expect(issue).to.deep.include({ assignee: null, assignees: [], labels: [], milestone: null });
  });

  it('are refused without a title, and with what is not there', async () => {
    for (const fields of [{}, { title: '' }, { title: '  ' }, { title: 'x'.repeat(256) }, { title: 1 }])
      expect((await ann.post(`${REPO}/issues`, fields)).status).to.equal(422);
    expect((await open(ann, { title: '🐙'.repeat(255) })).title).to.equal('🐙'.repeat(255));
    for (const fields of [
      { assignees: ['nobody'] },
      { assignees: ['bob'] },
      { milestone: 999 },
      { ref: 'x'.repeat(1_025) },
    ])
      expect((await ann.post(`${REPO}/issues`, { title: 'x', ...fields })).status).to.equal(422);
    expect((await api.anonymous.post(`${REPO}/issues`, { title: 'x' })).status).to.equal(401);
    expect((await bob.post('/repos/ann/secret/issues', { title: 'x' })).status).to.equal(404);
    expect((await bob.post('/repos/ann/nothing/issues', { title: 'x' })).status).to.equal(404);
  });

  it('are opened without assignees by clients that send an empty name', async () => {
    for (const fields of [{ assignees: [''] }, { assignee: '', assignees: [''] }])
      expect(await open(ann, { title: 'x', ...fields }, '/repos/ann/secret')).to.have.deep.property(
        'assignees',
        [],
      );
    const issue = await open(ann, { title: 'x', assignees: ['', 'ann'] }, '/repos/ann/secret');
    expect(issue).to.have.nested.property('assignee.login', 'ann');
  });

  it('can be assigned to collaborators who only read', async () => {
    await api.createUser('reader');
    for (const permission of ['write', 'read'])
      expect((await ann.put('/repos/ann/secret/collaborators/reader', { permission })).status).to.equal(204);
    const issue = await open(ann, { title: 'read this', assignees: ['reader'] }, '/repos/ann/secret');
    expect(await get(issue.number, '/repos/ann/secret')).to.have.nested.property('assignee.login', 'reader');
    const listed = (await ann.get('/repos/ann/secret/assignees')).json as { login: string }[];
    expect(listed.map(({ login }) => login)).to.deep.equal(['ann']);
    expect((await ann.delete('/repos/ann/secret/collaborators/reader')).status).to.equal(204);
    expect(await get(issue.number, '/repos/ann/secret')).to.have.deep.property('assignees', []);
  });

  it('can be assigned to site administrators, who may write everywhere', async () => {
    const { login } = (await api.admin.get('/user')).json as { login: string };
    const issue = await open(api.admin, { title: 'for me', assignees: [login] }, '/repos/ann/secret');
    expect(issue).to.have.nested.property('assignee.login', login);
    expect(
      (await ann.patch(`/repos/ann/secret/issues/${issue.number}`, { assignees: [login] })).status,
    ).to.equal(201);
    const listed = (await ann.get('/repos/ann/secret/assignees')).json as { login: string }[];
    expect(listed.map((account) => account.login)).to.deep.equal(['ann']);
  });

  it('are assigned to users whom the caller may not know of only where they show them', async () => {
    const [work, veiled] = ['/repos/ann/veils', await api.createUser('veiled', { visibility: 'private' })];
    expect((await ann.post('/user/repos', { name: 'veils' })).status).to.equal(201);
    for (const { username } of [veiled, writer]) {
      const path = `${work}/collaborators/${username}`;
      expect((await api.admin.put(path, { permission: 'write' })).status).to.equal(204);
    }
    const refusal = async (name: string) => {
      const { status, text } = await writer.post(`${work}/issues`, { title: 'x', assignees: [name] });
      expect(status, name).to.equal(422);
      return text.replace(name, '');
    };
    expect(await refusal('veiled')).to.equal(await refusal('nobody'));
    expect(await open(veiled, { title: 'mine', assignees: ['veiled', 'writer', 'ann'] }, work)).to.include({
      number: 1,
    });

    const { number } = await open(ann, { title: 'by the owner', assignees: ['veiled'] }, work);
    const assigned = async (...assignees: string[]) =>
      (await writer.patch(`${work}/issues/${number}`, { assignees })).status;
    expect(await assigned('veiled', 'writer'), 'who is shown may stay').to.equal(201);
    expect(await assigned('writer')).to.equal(201);
    expect(await assigned('veiled', 'writer')).to.equal(422);
    expect((await writer.patch(`${work}/issues/1`, { assignees: ['veiled'] })).status).to.equal(201);
  });

  it('get consecutive indices, however many are opened at once', async () => {
    const other = await api.another();
    const elsewhere = other.as({ username: 'bob', password: 'correct horse' });
    const issues = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        open(index % 2 === 0 ? ann : elsewhere, { title: `race ${index}` }, '/repos/ann/races'),
      ),
    );
    expect(
      issues.map(({ title }) => title),
      'each is answered with its own',
    ).to.deep.equal(issues.map((_, index) => `race ${index}`));
    expect(issues.map(({ number }) => number).sort((one, two) => one - two)).to.deep.equal(
      Array.from({ length: 64 }, (_, index) => index + 1),
    );
    expect((await ann.get('/repos/ann/races')).json).to.include({ open_issues_count: 64 });
    const page = await ann.get('/repos/ann/races/issues?limit=10&page=2');
    expect(numbers(page)).to.deep.equal([54, 53, 52, 51, 50, 49, 48, 47, 46, 45]);
    expect(page.headers.get('x-total-count')).to.equal('64');
    expect(page.headers.get('link')).to.contain('rel="next"');
  });

  it('that one api opens at once are as new by their index as by their id', async () => {
    expect((await ann.post('/user/repos', { name: 'flood' })).status).to.equal(201);
    // Assignees are looked up first, so that these requests would be overtaken by those that name none.
    const opening = Array.from({ length: 50 }, (_, nth) =>
      open(ann, nth % 2 === 0 ? { title: 'x', assignees: ['ann'] } : { title: 'x' }, '/repos/ann/flood'),
    );
    await Promise.all(opening);
    const falling = Array.from({ length: 50 }, (_, nth) => 50 - nth);
    for (const path of ['/repos/ann/flood/issues?', '/repos/issues/search?owner=ann&q=']) {
      const { json } = await ann.get(`${path}&limit=50`);
      const listed = (json as { id: number; number: number; repository: { name: string } }[]).filter(
        ({ repository }) => repository.name === 'flood',
      );
      expect(
        listed.map(({ number }) => number),
        path,
      ).to.deep.equal(falling);
      expect(listed.map(({ id }) => id)).to.deep.equal(listed.map(({ id }) => id).toSorted((a, b) => b - a));
    }
  });

  it('are served under both spellings', async () => {
    for (const path of ['', '/comments', '/labels']) {
      const [one, two] = await Promise.all([
        ann.get(`${REPO}/issues/1${path}`),
        ann.get(`${REPO}/issue/1${path}`),
      ]);
      expect(one.status).to.equal(200);
      expect(two.text).to.equal(one.text);
    }
    for (const index of ['0', '-1', 'x', '999', '99999999999999999999'])
      expect((await ann.get(`${REPO}/issues/${index}`)).status, index).to.equal(404);
  });

  describe('edited', () => {
    it('change all that is said, or nothing', async () => {
      const { number } = await open(ann, { title: 'before', body: 'text' });
      const path = `${REPO}/issues/${number}`;
      const answer = await ann.patch(path, {
        title: 'after',
        body: '',
        state: 'closed',
        assignees: ['writer'],
        ref: 'topic',
      });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.json).to.include({ title: 'after', body: '', state: 'closed', ref: 'topic' });
      expect((answer.json as Issue).closed_at).to.be.a('string');
      expect((await ann.patch(path, { title: 'third', assignees: ['nobody'] })).status).to.equal(422);
      expect((await ann.patch(path, { body: 'other', title: ' ' })).status).to.equal(422);
      expect((await ann.patch(path, { title: '' })).status).to.equal(422);
      expect((await ann.patch(path, { state: 'ajar' })).status).to.equal(422);
      expect(await get(number)).to.include({ title: 'after', body: '', state: 'closed' });
      expect((await ann.patch(path, { state: 'open' })).json).to.include({ state: 'open', closed_at: null });
    });

    it('keep their title where a client sends an empty one with all that it changes', async () => {
      const { number } = await open(ann, { title: 'kept', body: 'text' });
      const unsaid = { body: null, ref: null, assignees: null, milestone: null, due_date: null };
      const closed = await ann.patch(`${REPO}/issues/${number}`, { title: '', ...unsaid, state: 'closed' });
      expect([closed.status, closed.json]).to.deep.equal([201, await get(number)]);
      expect(closed.json).to.include({ title: 'kept', body: 'text', state: 'closed' });
    });

    it('keep deadlines to the end of the day in the offset given', async () => {
      const { number } = await open(ann, { title: 'due' });
      const path = `${REPO}/issues/${number}`;
      expect((await ann.patch(path, { due_date: '2030-05-06T01:00:00+02:00' })).json).to.include({
        due_date: '2030-05-06T21:59:59Z',
      });
      expect((await ann.patch(path, { unset_due_date: false })).status).to.equal(400);
      const both = { unset_due_date: true, due_date: '2030-05-06T01:00:00Z' };
      for (const unset of [{ unset_due_date: true }, both])
        expect((await ann.patch(path, unset)).json).to.include({ due_date: null });
      expect((await ann.post(`${path}/deadline`, { due_date: '2031-01-01T00:00:00Z' })).json).to.deep.equal({
        due_date: '2031-01-01T23:59:59Z',
      });
      expect((await ann.post(`${path}/deadline`, { due_date: null })).json).to.deep.equal({ due_date: null });
    });

    it('are for the poster and writers; posters change no privileged field', async () => {
      const { number } = await open(bob, { title: 'of bob' });
      const path = `${REPO}/issues/${number}`;
      const stranger = await api.createUser('stranger');
      expect((await stranger.patch(path, { title: 'x' })).status).to.equal(403);
      expect((await api.anonymous.patch(path, { title: 'x' })).status).to.equal(401);
      const milestone = await ann.post(`${REPO}/milestones`, { title: 'of writers' });
      const { id } = milestone.json as { id: number };
      const privileged = { assignees: ['writer'], milestone: id, due_date: '2030-05-06T00:00:00Z' };
      const { status, json } = await bob.patch(path, { title: 'still of bob', ...privileged });
      expect(status).to.equal(201);
      const without = { assignees: [], milestone: null, due_date: null };
      expect(json).to.deep.include({ title: 'still of bob', ...without });
      expect(await open(bob, { title: 'more of bob', ...privileged })).to.deep.include(without);
      expect((await bob.patch(path, { unset_due_date: false })).status).to.equal(201);
      expect((await writer.patch(path, { assignee: 'writer' })).json).to.have.nested.property(
        'assignee.login',
        'writer',
      );
      expect((await writer.patch(path, { assignee: '' })).json).to.deep.include({ assignees: [] });
    });

    it('are dated by administrators of the repository alone, between the creation and now', async () => {
      const { number } = await open(bob, { title: 'dated' });
      const { created_at } = await get(number);
      const path = `${REPO}/issues/${number}`;
      expect((await bob.patch(path, { updated_at: created_at })).status).to.equal(403);
      expect((await writer.patch(path, { updated_at: created_at })).status).to.equal(403);
      for (const updated_at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])
        expect((await ann.patch(path, { title: 'else', updated_at })).status, updated_at).to.equal(403);
      expect(await get(number)).to.include({ title: 'dated' });
      expect((await ann.patch(path, { title: 'else', updated_at: created_at })).status).to.equal(201);
      expect(await get(number)).to.include({ title: 'else', updated_at: created_at });
    });

    it('that cannot be read are 422 before who may not make them is 403', async () => {
      const { number } = await open(ann, { title: 'of ann' });
      const path = `${REPO}/issues/${number}`;
      const comment = (await ann.post(`${path}/comments`, { body: 'of ann' })).json as { id: number };
      const stranger = await api.createUser('passer-by');
      for (const [method, place, good, bad] of [
        ['patch', path, { title: 'x' }, { title: 5 }],
        ['post', `${path}/labels`, { labels: [] }, { labels: 'x' }],
        ['put', `${path}/labels`, { labels: [] }, { labels: 'x' }],
        ['post', `${path}/deadline`, { due_date: null }, { due_date: 'x' }],
        ['patch', `${REPO}/issues/comments/${comment.id}`, { body: 'x' }, {}],
        ['post', `${REPO}/labels`, { name: 'x', color: '#fff' }, {}],
        ['post', `${REPO}/milestones`, { title: 'x' }, {}],
      ] as const) {
        expect((await stranger[method](place, bad)).status, place).to.equal(422);
        expect((await stranger[method](place, good)).status, place).to.equal(403);
        expect((await api.anonymous[method](place, bad)).status, place).to.equal(401);
      }
    });

    it('by somebody who knows an older one are refused: 412', async () => {
      const { number } = await open(ann, { title: 'tagged' });
      const path = `${REPO}/issues/${number}`;
      const tag = (await ann.get(path)).headers.get('etag') ?? '';
      expect((await ann.patch(path, { title: 'first' }, { 'if-match': tag })).status).to.equal(201);
      expect((await ann.patch(path, { title: 'second' }, { 'if-match': tag })).status).to.equal(412);
      expect((await ann.delete(path, undefined, { 'if-match': tag })).status).to.equal(412);
      const deadline = await ann.post(`${path}/deadline`, { due_date: null }, { 'if-match': tag });
      expect(deadline.status).to.equal(412);
      expect((await ann.patch(path, { title: 'third' }, { 'if-match': '"no tag"' })).status).to.equal(412);
      expect(await get(number)).to.include({ title: 'first' });
      expect((await ann.patch(path, { title: 'fourth' }, { 'if-match': '*' })).status).to.equal(201);
      const now = (await ann.get(path)).headers.get('etag') ?? '';
      for (const other of [`W/${now}`, now.replace('"', '"0')])
        expect((await ann.patch(path, { title: 'fifth' }, { 'if-match': other })).status, other).to.equal(
          412,
        );
      const several = `${tag}, ${now}`;
      expect((await ann.patch(path, { title: 'fifth' }, { 'if-match': several })).status).to.equal(201);
    });

    it('by several at once who know the same one are changed by one of them', async () => {
      const { number } = await open(ann, { title: 'wanted by all' });
      const path = `${REPO}/issues/${number}`;
      const tag = (await ann.get(path)).headers.get('etag') ?? '';
      const elsewhere = (await api.another()).as({ username: 'writer', password: 'correct horse' });
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, nth) =>
          (nth % 2 === 0 ? ann : elsewhere).patch(path, { title: `${nth}` }, { 'if-match': tag }),
        ),
      );
      const won = answers.filter(({ status }) => status === 201);
      expect(won).to.have.length(1);
      expect(answers.filter(({ status }) => status === 412)).to.have.length(15);
      expect(await get(number)).to.include({ title: (won[0]?.json as Issue).title });
    });

    it('stay as they are if told to lose what was deleted already', async () => {
      const gone = await api.createUser('gone');
      expect((await ann.put(`${REPO}/collaborators/gone`, { permission: 'write' })).status).to.equal(204);
      const label = (await ann.post(`${REPO}/labels`, { name: 'gone', color: '#f00' })).json as {
        id: number;
      };
      const milestone = (await ann.post(`${REPO}/milestones`, { title: 'gone' })).json as { id: number };
      const { number } = await open(ann, {
        title: 'Kept',
        assignees: [gone.username],
        labels: [label.id],
        milestone: milestone.id,
      });
      const path = `${REPO}/issues/${number}`;
      for (const place of [`${REPO}/labels/${label.id}`, `${REPO}/milestones/${milestone.id}`])
        expect((await ann.delete(place)).status).to.equal(204);
      expect((await api.admin.delete('/admin/users/gone')).status).to.equal(204);
      const before = await ann.get(path);
      expect((await ann.patch(path, { milestone: 0, assignees: [] })).status).to.equal(201);
      expect((await ann.put(`${path}/labels`, { labels: [] })).status).to.equal(200);
      expect((await ann.delete(`${path}/labels`)).status).to.equal(204);
      const after = await ann.get(path);
      expect(after.json).to.deep.equal(before.json);
      expect(after.headers.get('etag')).to.equal(before.headers.get('etag'));
    });

    it('leave the time at which their repository changed', async () => {
      const updated = async () => ((await ann.get(REPO)).json as { updated_at: string }).updated_at;
      expect((await ann.patch(REPO, { description: 'changed' })).status).to.equal(200);
      const before = await updated();
      while (Date.now() < Date.parse(before) + 1_000) await sleep(50); // times are shown in whole seconds
      const { number } = await open(ann, { title: 'later' });
      expect((await ann.patch(`${REPO}/issues/${number}`, { state: 'closed' })).status).to.equal(201);
      expect(await updated()).to.equal(before);
    });
  });

  it('are deleted by administrators, and their index is not given again', async () => {
    const { number } = await open(bob, { title: 'goes' });
    const path = `${REPO}/issues/${number}`;
    const before = ((await ann.get(REPO)).json as { open_issues_count: number }).open_issues_count;
    for (const client of [bob, writer]) expect((await client.delete(path)).status).to.equal(403);
    expect((await ann.delete(path)).status).to.equal(204);
    expect((await ann.get(path)).status).to.equal(404);
    expect((await ann.delete(path)).status).to.equal(404);
    expect((await ann.get(REPO)).json).to.include({ open_issues_count: before - 1 });
    expect((await open(bob, { title: 'comes' })).number).to.equal(number + 1);
  });

  describe('listed', () => {
    const LISTED = '/repos/ann/listed';
    before(async () => {
      expect((await ann.post('/user/repos', { name: 'listed' })).status).to.equal(201);
      await ann.put(`${LISTED}/collaborators/writer`, { permission: 'write' });
      const label = async (name: string) =>
        ((await ann.post(`${LISTED}/labels`, { name, color: 'fff' })).json as { id: number }).id;
      const red = await label('red');
      const blue = await label('blue');
      const milestone = (await ann.post(`${LISTED}/milestones`, { title: 'v1' })).json as { id: number };
      const one = { title: 'one', body: 'hello WORLD @bob', labels: [red], assignees: ['writer', 'ann'] };
      await open(ann, one, LISTED);
      await ann.patch(`${LISTED}/issues/1`, { assignees: ['ann'] });
      await open(
        ann,
        { title: 'two', labels: [red, blue], milestone: milestone.id, assignees: ['writer', 'ann'] },
        LISTED,
      );
      const three = {
        title: 'three, of @bob.smith, @bob/team, x/@bob and @bob@x.org, for @writer: go',
        closed: true,
      };
      await open(bob, three, LISTED);
      await ann.post(`${LISTED}/issues/2/comments`, { body: 'needle 100% for @ann, ΟΔΟΣ' });
    });

    for (const [query, expected] of [
      ['', [2, 1]],
      ['state=open', [2, 1]],
      ['state=closed', [3]],
      ['state=all', [3, 2, 1]],
      ['state=odd', [2, 1]],
      ['labels=red', [2, 1]],
      ['labels=red&limit=1', [2]],
      ['labels=red,blue', [2]],
      ['labels=red,unknown', [2, 1]],
      ['labels=RED', []],
      ['labels=unknown', []],
      ['milestones=v1', [2]],
      ['milestones=v1,unknown', [2]],
      ['milestones=unknown', []],
      ['q=world', [1]],
      ['q=hello+WORLD', [1]],
      ['q=needle', [2]],
      ['q=100%25', [2]],
      ...['ΟΔΟΣ', 'οδος', 'οδοσ', 'ΔΟΣ'].map((word) => [`q=${encodeURIComponent(word)}`, [2]] as const), // two small forms
      [`q=${encodeURIComponent('οδο_')}`, []],
      [`q=${encodeURIComponent('οσοσ')}`, []],
      ['q=1_0', []],
      [`q=${'hello+'.repeat(20)}beyond`, [1]],
      ['type=issues', [2, 1]],
      ['type=pulls', []],
      ['created_by=bob&state=all', [3]],
      ['assigned_by=writer', [2]],
      ['created_by=&assigned_by=', [2, 1]],
      ['mentioned_by=BOB&state=all', [1]],
      ['mentioned_by=writer&state=all', [3]],
      ['mentioned_by=ann&state=all', [2]],
      ['mentioned_by=bob&q=hello', [1]],
      ['mentioned_by=bob&q=needle', []],
      ['since=2030-01-01T00:00:00Z', []],
      ['string=2020-01-01T00:00:00Z', [2, 1]],
      ['before=2020-01-01T00:00:00%2B02:00', []],
      ['since=', [2, 1]],
      ['page=2', []],
      ['limit=1&page=2', [1]],
    ] as const)
      it(`by ${query || 'nothing'}`, async () => {
        const answer = await api.anonymous.get(`${LISTED}/issues?${query}`);
        expect(answer.status, answer.text).to.equal(200);
        expect(numbers(answer)).to.deep.equal(expected);
      });

    for (const [list, expected] of [
      ['issues', '2'],
      ['issues?state=closed', '1'],
      ['issues?state=all&page=9', '3'],
      ['issues?labels=red&limit=1', '2'],
      ['issues?labels=red&page=9', '2'],
      ['issues?q=world', '1'],
      ['issues?created_by=ann&state=all', '2'],
      ['issues/2/comments', '1'],
      ['issues/comments?page=9', '1'],
      ['issues/comments?since=2020-01-01T00:00:00Z&page=9', '1'],
    ] as const)
      it(`say how many there are in all, whatever the page: ${list}`, async () => {
        const answer = await api.anonymous.get(`${LISTED}/${list}`);
        expect(answer.headers.get('x-total-count'), answer.text).to.equal(expected);
      });

    it('show what each of them carries, and assignees in the order given', async () => {
      const { json } = await api.anonymous.get(`${LISTED}/issues`);
      const issues = json as {
        labels: { name: string }[];
        assignees: { login: string }[];
        assignee: object;
      }[];
      const shown = issues.map(({ labels, assignees }) => [
        labels.map(({ name }) => name),
        assignees.map(({ login }) => login),
      ]);
      expect(shown).to.deep.equal([
        [
          ['blue', 'red'],
          ['writer', 'ann'],
        ],
        [['red'], ['ann']],
      ]);
      for (const { assignee, assignees } of issues) expect(assignee).to.deep.equal(assignees[0]);
    });

    it('have what changed at the moment that they are asked for', async () => {
      const { number, created_at } = await open(bob, { title: 'to the second' });
      const change = { title: 'at once', updated_at: created_at };
      expect((await ann.patch(`${REPO}/issues/${number}`, change)).status).to.equal(201);
      for (const word of ['since', 'before'])
        expect(numbers(await ann.get(`${REPO}/issues?${word}=${String(created_at)}`)), word).to.include(
          number,
        );
    });

    it('by a milestone whose title is the id of another; over repositories by titles alone', async () => {
      const place = '/repos/ann/numbered';
      expect((await ann.post('/user/repos', { name: 'numbered' })).status).to.equal(201);
      const milestone = async (title: string) =>
        ((await ann.post(`${place}/milestones`, { title })).json as { id: number }).id;
      const first = await milestone('first');
      const second = await milestone(`${first}`);
      for (const id of [first, second]) await open(ann, { title: 'one of two', milestone: id }, place);
      const found = async (path: string) => numbers(await ann.get(path));
      expect(await found(`${place}/issues?milestones=${first}`)).to.deep.equal([2]);
      expect(await found(`${place}/issues?milestones=${second}`)).to.deep.equal([2]);
      expect(await found(`${place}/issues?milestones=first,${second}`)).to.deep.equal([2, 1]);
      expect(await found(`/repos/issues/search?milestones=${first}`)).to.deep.equal([2]);
      expect(await found(`/repos/issues/search?milestones=${second}`)).to.deep.equal([]);
    });

    it('by a name that stands behind many others', async () => {
      const many = Array.from({ length: 30 }, (_, index) => `other-${index}`).join(',');
      for (const query of [`labels=${many},red,blue`, `milestones=${many},v1`]) {
        expect(numbers(await ann.get(`${LISTED}/issues?${query}`)), query).to.deep.equal([2]);
        const found = (await ann.get(`/repos/issues/search?owner=ann&${query}`)).json as Issue[];
        expect(found.map(({ title }) => title)).to.include('two');
      }
    });

    it('refuse more labels than one query asks for', async () => {
      const place = '/repos/ann/labelled';
      expect((await ann.post('/user/repos', { name: 'labelled' })).status).to.equal(201);
      const names = Array.from({ length: 21 }, (_, index) => `label-${index}`);
      for (const name of names)
        expect((await ann.post(`${place}/labels`, { name, color: 'fff' })).status).to.equal(201);
      const [all, most] = [names.join(','), names.slice(1).join(',')];
      expect((await ann.get(`${place}/issues?labels=${most},${most}`)).status).to.equal(200);
      expect((await ann.get(`${place}/issues?labels=${all}`)).status).to.equal(422);
    });

    it('refuse times that are none, two that differ, and unknown people', async () => {
      for (const query of [
        'since=yesterday',
        'before=1',
        'since=2020-01-01T00:00:00Z&string=2021-01-01T00:00:00Z',
      ])
        expect((await ann.get(`${LISTED}/issues?${query}`)).status).to.equal(422);
      const alike = 'since=2020-01-01T00:00:00Z&string=2020-01-01T02:00:00%2B02:00';
      expect(numbers(await ann.get(`${LISTED}/issues?${alike}`))).to.deep.equal([2, 1]);
      for (const query of ['created_by=nobody', 'assigned_by=nobody', 'mentioned_by=nobody'])
        expect((await ann.get(`${LISTED}/issues?${query}`)).status).to.equal(404);
    });

    it('refuse them where nothing can match as well', async () => {
      const differing = 'since=2020-01-01T00:00:00Z&string=2021-01-01T00:00:00Z';
      for (const nothing of ['type=pulls', 'labels=unknown', 'milestones=unknown']) {
        expect((await ann.get(`${LISTED}/issues?${nothing}&${differing}`)).status, nothing).to.equal(422);
        expect((await ann.get(`/repos/issues/search?${nothing}&${differing}`)).status, nothing).to.equal(422);
        expect((await ann.get(`${LISTED}/issues?${nothing}&created_by=nobody`)).status, nothing).to.equal(
          404,
        );
      }
    });

    it('take those whom the caller may not know of for nobody', async () => {
      const hidden = await api.createUser('hidden', { visibility: 'private' });
      for (const query of ['created_by=hidden', 'assigned_by=hidden', 'mentioned_by=hidden'])
        for (const [client, status] of [
          [api.anonymous, 404],
          [bob, 404],
          [hidden, 200],
          [api.admin, 200],
        ] as const)
          expect((await client.get(`${LISTED}/issues?${query}`)).status, query).to.equal(status);
    });

    it('over repositories, as far as the caller sees them', async () => {
      await open(ann, { title: 'hidden needle' }, '/repos/ann/secret');
      const found = async (client: Client, query: string) =>
        ((await client.get(`/repos/issues/search?q=needle&${query}`)).json as Issue[]).map(
          ({ title }) => title,
        );
      expect(await found(ann, '')).to.deep.equal(['hidden needle', 'two']);
      expect(await found(bob, '')).to.deep.equal(['two']);
      expect(await found(api.anonymous, '')).to.deep.equal(['two']);
      for (const yes of ['true', '1', 't', 'on'])
        expect(await found(writer, `assigned=${yes}`)).to.deep.equal(['two']);
      for (const no of ['false', '0', ''])
        expect(await found(bob, `assigned=${no}&created=${no}&mentioned=${no}`)).to.deep.equal(['two']);
      expect(await found(bob, 'created=true')).to.deep.equal([]);
      expect(await found(bob, 'assigned=true')).to.deep.equal([]);
      expect(await found(api.anonymous, 'reviewed=true')).to.deep.equal(['two']);
      expect(await found(ann, 'owner=bob')).to.deep.equal([]);
      expect(await found(bob, 'owner=ann')).to.deep.equal(['two']);
      expect(await found(ann, 'labels=blue')).to.deep.equal(['two']);
      for (const nothing of ['type=pulls', 'review_requested=true', 'reviewed=true'])
        expect(await found(ann, nothing), nothing).to.deep.equal([]);
      expect(await found(ann, 'mentioned=true')).to.deep.equal(['two']);
      expect(await found(bob, 'mentioned=true')).to.deep.equal([]);
      expect(await found(ann, 'limit=1')).to.deep.equal(['hidden needle']);
      for (const query of ['owner=nobody', 'team=x', 'owner=ann&team=x'])
        expect((await ann.get(`/repos/issues/search?${query}`)).status, query).to.equal(400);
    });

    it('over repositories come in pages of twenty, and in those of one of thirty', async () => {
      expect((await ann.post('/user/repos', { name: 'thirty' })).status).to.equal(201);
      for (let nth = 1; nth <= 31; nth++) await open(ann, { title: 'thirtieth' }, '/repos/ann/thirty');
      for (const [path, length] of [
        ['/repos/issues/search?q=thirtieth', 20],
        ['/repos/issues/search?q=thirtieth&limit=0', 20],
        ['/repos/ann/thirty/issues?q=thirtieth', 30],
        ['/repos/ann/thirty/issues?limit=-1', 30],
      ] as const) {
        const answer = await ann.get(path);
        expect(answer.json, path).to.have.length(length);
        expect(answer.headers.get('x-total-count')).to.equal('31');
      }
    });

    it('over repositories of organizations, as far as these and their teams let the caller see them', async () => {
      const [reader, coder] = [await api.createUser('reads'), await api.createUser('codes')];
      const founded = async (username: string, visibility: string) =>
        expect((await ann.post('/orgs', { username, visibility })).status).to.equal(201);
      await founded('guild', 'limited');
      await founded('other', 'public');
      const team = async (org: string, member: TestUser, fields: object) => {
        const { json } = await ann.post(`/orgs/${org}/teams`, fields);
        const { id } = json as { id: number };
        expect((await ann.put(`/teams/${id}/members/${member.username}`)).status).to.equal(204);
        return id;
      };
      const few = await team('guild', reader, { name: 'few', units: ['repo.issues'] });
      const code = await team('guild', coder, { name: 'code', units: ['repo.code'] });
      await team('guild', coder, { name: 'all', units: ['repo.code'], includes_all_repositories: true });
      await team('other', bob, { name: 'elsewhere', units: ['repo.issues'] });
      for (const [name, isPrivate] of [
        ['open', false],
        ['shut', true],
        ['apart', true],
      ] as const) {
        await ann.post('/orgs/guild/repos', { name, private: isPrivate });
        await open(ann, { title: `thread ${name}` }, `/repos/guild/${name}`);
      }
      for (const [id, name] of [
        [few, 'shut'],
        [code, 'shut'],
        [code, 'apart'],
      ] as const)
        expect((await ann.put(`/teams/${id}/repos/guild/${name}`)).status).to.equal(204);
      const found = async (client: Client, query = '') => {
        const { status, json } = await client.get(`/repos/issues/search?q=thread&${query}`);
        return status === 200 ? (json as Issue[]).map(({ title }) => title) : status;
      };
      expect(await found(api.anonymous)).to.deep.equal([]);
      expect(await found(bob)).to.deep.equal(['thread open']);
      expect(await found(coder)).to.deep.equal(['thread open']);
      expect(await found(reader)).to.deep.equal(['thread shut', 'thread open']);
      expect(await found(reader, 'owner=guild&team=few')).to.deep.equal(['thread shut']);
      expect(await found(api.admin, 'owner=guild&team=few')).to.deep.equal(['thread shut']);
      expect(await found(ann, 'owner=guild&team=all')).to.have.length(3);
      expect(await found(coder, 'owner=guild&team=all')).to.deep.equal(['thread open']);
      expect(await found(bob, 'owner=guild&team=few')).to.equal(400);
      expect(await found(ann, 'owner=guild&team=elsewhere')).to.equal(400);
    });
  });

  it('refuse what could be sent but not stored', async () => {
    const { number } = await open(ann, { title: 'dated' });
    const issue = `${REPO}/issues/${number}`;
    for (const due_date of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00']) {
      expect((await ann.post(`${REPO}/issues`, { title: 'x', due_date })).status).to.equal(422);
      expect((await ann.post(`${REPO}/milestones`, { title: 'x', due_on: due_date })).status).to.equal(422);
      expect((await ann.get(`${REPO}/issues?since=${due_date}`)).status).to.equal(422);
    }
    // The end of that day lies in the year 10,000.
    const due_date = '9999-12-31T00:00:00-05:00';
    expect((await ann.patch(issue, { due_date })).status).to.equal(422);
    expect((await ann.post(`${issue}/deadline`, { due_date })).status).to.equal(422);
    const typed = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await ann.post(`${REPO}/issues`, 'title=a%00b', typed);
    expect([refused.status, refused.message]).to.deep.equal([
      422,
      '[Title]: must not hold NUL or unpaired surrogates',
    ]);
    expect((await ann.get(issue)).json).to.include({ title: 'dated' });
  });

  it('of an archived repository are read only', async () => {
    const { number } = await open(ann, { title: 'old' }, '/repos/ann/archived');
    const issue = `/repos/ann/archived/issues/${number}`;
    const { id } = (await ann.post(`${issue}/comments`, { body: 'said' })).json as { id: number };
    const comment = `/repos/ann/archived/issues/comments/${id}`;
    expect((await ann.patch('/repos/ann/archived', { archived: true })).status).to.equal(200);
    expect((await ann.post('/repos/ann/archived/issues', { title: 'new' })).status).to.equal(423);
    expect((await ann.post(`${issue}/comments`, { body: 'more' })).status).to.equal(423);
    expect((await ann.patch(issue, { title: 'x' })).status).to.equal(423);
    expect((await ann.put(`${issue}/labels`, { labels: [] })).status).to.equal(423);
    expect((await ann.delete(`${issue}/labels`)).status).to.equal(423);
    expect((await ann.patch(comment, { body: 'unsaid' })).status).to.equal(423);
    expect((await ann.delete(issue)).status).to.equal(423);
    expect((await bob.patch(issue, '{')).status, 'before what is wrong, and who may').to.equal(423);
    expect((await ann.get(issue)).status).to.equal(200);
    expect((await bob.delete(comment)).status).to.equal(403);
    expect((await ann.delete(comment)).status).to.equal(204);
  });

  it('need no template, as whoever sees them is told', async () => {
    const { status, json } = await bob.get(`${REPO}/issue_config`);
    expect([status, json]).to.deep.equal([200, { blank_issues_enabled: true, contact_links: [] }]);
    expect((await bob.get('/repos/ann/secret/issue_config')).status).to.equal(404);
  });

  it('are not there where the repository has them switched off', async () => {
    expect((await ann.post('/user/repos', { name: 'quiet' })).status).to.equal(201);
    expect((await ann.patch('/repos/ann/quiet', { has_issues: false })).status).to.equal(200);
    for (const path of ['/issues', '/labels', '/milestones', '/issues/comments', '/issue_config'])
      expect((await ann.get(`/repos/ann/quiet${path}`)).status, path).to.equal(404);
    expect((await ann.post('/repos/ann/quiet/issues', { title: 'x' })).status).to.equal(404);
  });
});
