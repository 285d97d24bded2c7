import { expect } from 'chai';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { ahead } from '../../support/clock.js';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Named {
  readonly id: number;
  readonly name: string;
}

const REPO = '/repos/ann/project';

describe('what issues carry', () => {
  let api: TestApi;
  let ann: TestUser;
  let bob: TestUser;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    expect((await ann.post('/user/repos', { name: 'project' })).status).to.equal(201);
    for (const title of ['one', 'two'])
      expect((await ann.post(`${REPO}/issues`, { title })).status).to.equal(201);
  });
  after(() => api.stop());

  const names = ({ json }: { readonly json: unknown }) => (json as Named[]).map(({ name }) => name);

  describe('comments', () => {
    const say = async (client: TestUser, body: string, issue = 1) => {
      const { status, json, text } = await client.post(`${REPO}/issues/${issue}/comments`, { body });
      expect(status, text).to.equal(201);
      return json as { id: number; body: string; updated_at: string };
    };
    const bodies = ({ json }: { readonly json: unknown }) =>
      (json as { body: string }[]).map(({ body }) => body);

    it('are said, read, changed and taken back', async () => {
      const first = await say(ann, 'first');
      const second = await say(bob, 'second');
      await say(bob, 'elsewhere', 2);
      expect(first).to.deep.include({
        html_url: `${api.url()}/ann/project/issues/1#issuecomment-${first.id}`,
        issue_url: `${api.url()}/ann/project/issues/1`,
        pull_request_url: '',
        body: 'first',
        assets: [],
        original_author: '',
        original_author_id: 0,
      });
      const list = await api.anonymous.get(`${REPO}/issues/1/comments`);
      expect(bodies(list)).to.deep.equal(['first', 'second']);
      expect(list.headers.get('x-total-count')).to.equal('2');
      expect(list.headers.get('link')).to.equal(null);
      const part = await api.anonymous.get(`${REPO}/issues/1/comments?limit=1&page=2`);
      expect(bodies(part)).to.deep.equal(['second']);
      expect(bodies(await api.anonymous.get(`${REPO}/issues/1/comments?limit=1`))).to.deep.equal(['first']);
      const link = `<${api.url()}/api/v1${REPO}/issues/1/comments?limit=1&page=1>`;
      expect(part.headers.get('link')).to.equal(`${link}; rel="first",${link}; rel="prev"`);
      expect((await api.anonymous.get(`${REPO}/issues/comments?limit=1`)).headers.get('link')).to.be.a(
        'string',
      );
      expect(bodies(await api.anonymous.get(`${REPO}/issues/comments`))).to.deep.equal([
        'first',
        'second',
        'elsewhere',
      ]);
      expect((await ann.get(`${REPO}/issues/1`)).json).to.include({ comments: 2 });

      const path = `${REPO}/issues/comments/${second.id}`;
      expect((await bob.patch(path, { body: 'changed' })).json).to.include({ body: 'changed' });
      expect((await api.anonymous.get(path)).json).to.include({ body: 'changed' });
      expect((await bob.delete(`${REPO}/issues/comments/${first.id}`)).status).to.equal(403);
      expect((await bob.patch(`${REPO}/issues/comments/${first.id}`, { body: 'x' })).status).to.equal(403);
      expect((await ann.patch(path, { body: 'of a writer' })).json).to.include({ body: 'of a writer' });
      expect((await bob.delete(path)).status).to.equal(204);
      expect((await bob.delete(path)).status).to.equal(404);
      expect((await ann.get(`${REPO}/issues/1`)).json).to.include({ comments: 1 });
    });

    it('are listed in the order in which they were said, whichever api was told', async () => {
      const other = (await api.another()).as({ username: 'ann', password: PASSWORD });
      const issue = (await ann.post(`${REPO}/issues`, { title: 'talk' })).json as { number: number };
      const path = `${REPO}/issues/${issue.number}/comments`;
      const texts = ['one', 'two', 'three', 'four'];
      for (const [nth, body] of texts.entries())
        expect((await (nth % 2 === 0 ? other : ann).post(path, { body })).status).to.equal(201);
      expect(bodies(await ann.get(path))).to.deep.equal(texts);
      expect(bodies(await ann.get(`${path}?page=2&limit=2`))).to.deep.equal(texts.slice(2));
      expect(bodies(await ann.get(`${REPO}/issues/comments`)).slice(-4)).to.deep.equal(texts);
    });

    it('of the same second are listed by their ids, if one api was told', async () => {
      const issue = (await ann.post(`${REPO}/issues`, { title: 'chatter' })).json as { number: number };
      const path = `${REPO}/issues/${issue.number}/comments`;
      const said = Array.from({ length: 100 }, (_, nth) => ann.post(path, { body: String(nth) }));
      for (const { status } of await Promise.all(said)) expect(status).to.equal(201);
      const places = ((await ann.get(path)).json as { id: number; created_at: string }[]).map(
        ({ id, created_at }) => `${created_at} ${String(id).padStart(9)}`,
      );
      expect(places).to.have.length(100).and.to.deep.equal(places.toSorted());
    });

    it('are narrowed by time', async () => {
      expect(bodies(await ann.get(`${REPO}/issue/1/comments?string=2030-01-01T00:00:00Z`))).to.deep.equal([]);
      expect(bodies(await ann.get(`${REPO}/issues/comments?string=2030-01-01T00:00:00Z`))).to.deep.equal([]);
      expect(bodies(await ann.get(`${REPO}/issues/comments?string=2020-01-01T00:00:00Z`))).not.to.be.empty;
      expect(bodies(await ann.get(`${REPO}/issues/comments?before=2020-01-01T00:00:00Z`))).to.deep.equal([]);
      expect((await ann.get(`${REPO}/issues/comments?since=then`)).status).to.equal(422);
      // Times are shown in whole seconds: what was changed in a second is up to it and since it.
      const { id, updated_at } = await say(ann, 'now', 2);
      for (const word of ['since', 'before', 'string']) {
        const { json } = await ann.get(`${REPO}/issues/2/comments?${word}=${updated_at}`);
        expect(
          (json as { id: number }[]).map((comment) => comment.id),
          word,
        ).to.include(id);
      }
      // A comment that is dated to a whole second is up to that and since it as well.
      const { created_at } = (await ann.get(`${REPO}/issues/2`)).json as { created_at: string };
      const dated = await ann.post(`${REPO}/issues/2/comments`, { body: 'then', updated_at: created_at });
      expect(dated.status, dated.text).to.equal(201);
      for (const word of ['since', 'before'])
        expect(bodies(await ann.get(`${REPO}/issues/2/comments?${word}=${created_at}`)), word).to.include(
          'then',
        );
      const earlier = new Date(Date.parse(updated_at) - 1).toISOString();
      const { json } = await ann.get(`${REPO}/issues/2/comments?before=${earlier}`);
      expect((json as { id: number }[]).map((comment) => comment.id)).not.to.include(id);
    });

    it('are refused without a body, of strangers to the issue, and where there is no issue', async () => {
      for (const body of ['', ' \n'])
        expect((await ann.post(`${REPO}/issues/1/comments`, { body })).status).to.equal(422);
      expect((await ann.post(`${REPO}/issues/1/comments`, { body: 'x'.repeat(262_145) })).status).to.equal(
        422,
      );
      expect((await api.anonymous.post(`${REPO}/issues/1/comments`, { body: 'x' })).status).to.equal(401);
      expect((await ann.post(`${REPO}/issues/99/comments`, { body: 'x' })).status).to.equal(404);
      const [tooEarly, comments] = ['2020-01-01T00:00:00Z', `${REPO}/issues/1/comments`];
      expect((await ann.post(comments, { body: 'x', updated_at: tooEarly })).status).to.equal(403);
      const { id } = await say(ann, 'dated');
      const own = `${REPO}/issues/comments/${id}`;
      expect((await ann.patch(own, { body: 'x', updated_at: tooEarly })).status).to.equal(403);
      expect((await ann.delete(own)).status).to.equal(204);
      expect((await ann.get(`${REPO}/issues/99/comments`)).status).to.equal(404);
      expect((await ann.get(`${REPO}/issues/99/comments?since=then`)).status).to.equal(404);
    });

    it('come as forms as well', async () => {
      const typed = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await ann.post(`${REPO}/issues/2/comments`, 'body=form', typed)).json).to.include({
        body: 'form',
      });
    });

    it('under their issue are found there alone', async () => {
      const { id } = await say(ann, 'here');
      expect((await ann.patch(`${REPO}/issues/2/comments/${id}`, { body: 'x' })).status).to.equal(404);
      expect((await ann.post('/user/repos', { name: 'aside' })).status).to.equal(201);
      expect((await ann.get(`/repos/ann/aside/issues/comments/${id}`)).status).to.equal(404);
      expect((await ann.patch(`${REPO}/issues/1/comments/${id}`, { body: 'x' })).status).to.equal(200);
      expect((await ann.delete(`${REPO}/issues/1/comments/${id}`)).status).to.equal(204);
    });
  });

  it('is changed only where nobody was first, if the caller says so', async () => {
    const said = await ann.post(`${REPO}/issues/2/comments`, { body: 'tagged' });
    const comment = `${REPO}/issues/comments/${(said.json as { id: number }).id}`;
    const labels = `${REPO}/issues/2/labels`;
    const tagAt = async (path: string) => (await ann.get(path)).headers.get('etag') ?? '';
    const tag = said.headers.get('etag') ?? '';
    expect(tag).to.match(/^"\d+"$/);
    for (const path of [comment, labels, `${REPO}/issues/2`]) expect(await tagAt(path)).to.equal(tag);
    const edited = await ann.patch(comment, { body: 'again' }, { 'if-match': tag });
    expect(edited.status).to.equal(200);
    expect(edited.headers.get('etag'))
      .to.equal(await tagAt(comment))
      .and.not.to.equal(tag);
    expect((await ann.patch(comment, { body: 'late' }, { 'if-match': tag })).status).to.equal(412);
    const label = await ann.post(`${REPO}/labels`, { name: 'tagged', color: 'fff' });
    const own = `${labels}/${(label.json as Named).id}`;
    for (const late of [
      await ann.put(labels, { labels: [] }, { 'if-match': tag }),
      await ann.post(labels, { labels: ['tagged'] }, { 'if-match': tag }),
      await ann.delete(labels, undefined, { 'if-match': tag }),
      await ann.delete(own, undefined, { 'if-match': tag }),
    ])
      expect(late.status).to.equal(412);
    expect((await ann.put(labels, { labels: [] })).status, 'who says nothing is the last').to.equal(200);
    expect((await ann.delete(comment, undefined, { 'if-match': tag })).status).to.equal(412);
    const last = await tagAt(labels);
    expect((await ann.delete(comment, undefined, { 'if-match': last })).status).to.equal(204);
    expect(await tagAt(labels)).not.to.equal(last);
    expect((await ann.delete(`${REPO}/labels/${(label.json as Named).id}`)).status).to.equal(204);
  });

  describe('labels', () => {
    const ids: Record<string, number> = {};
    const LABELS = `${REPO}/issues/2/labels`;
    before(async () => {
      for (const [name, exclusive] of [
        ['bug', false],
        ['kind/a', true],
        ['kind/b', true],
      ] as const) {
        const { status, json } = await ann.post(`${REPO}/labels`, { name, color: '#0aF', exclusive });
        expect(status).to.equal(201);
        ids[name] = (json as Named).id;
      }
    });

    it('are listed by pages of a repository, with their number and without links', async () => {
      const { status, json, headers } = await ann.get(`${REPO}/labels?limit=1`);
      expect([status, (json as Named[]).length]).to.deep.equal([200, 1]);
      expect(Number(headers.get('x-total-count'))).to.be.greaterThan(1);
      expect(headers.get('link')).to.equal(null);
    });

    it('are added, replaced, removed and cleared', async () => {
      expect(names(await ann.post(LABELS, { labels: ['bug'] }))).to.deep.equal(['bug']);
      expect(names(await ann.post(LABELS, { labels: [ids.bug, ids['kind/a']] }))).to.deep.equal([
        'bug',
        'kind/a',
      ]);
      expect(names(await ann.post(LABELS, { labels: ['kind/b'] }))).to.deep.equal(['bug', 'kind/b']);
      expect(names(await ann.put(LABELS, { labels: ['kind/a', 'kind/b'] }))).to.deep.equal(['kind/b']);
      const mixed = await ann.put(LABELS, { labels: ['kind/a', ids.bug] });
      expect(names(mixed)).to.deep.equal(['bug', 'kind/a']);
      expect((await ann.delete(`${LABELS}/${ids['kind/b']}`)).status).to.equal(204);
      expect((await ann.delete(`${LABELS}/${ids['kind/b']}`)).status).to.equal(204);
      expect(names(await ann.put(LABELS, { labels: ['bug'] }))).to.deep.equal(['bug']);
      expect((await ann.delete(LABELS)).status).to.equal(204);
      expect(names(await ann.get(LABELS))).to.deep.equal([]);
    });

    it('given by several at once are all carried, but one alone of those that exclude each other', async () => {
      const { number } = (await ann.post(`${REPO}/issues`, { title: 'labelled' })).json as { number: number };
      const path = `${REPO}/issues/${number}/labels`;
      const elsewhere = (await api.another()).as({ username: 'ann', password: PASSWORD });
      const wanted = Array.from({ length: 24 }, (_, nth) => ['bug', 'kind/a', 'kind/b'][nth % 3] ?? '');
      const answers = await Promise.all(
        wanted.map((name, nth) => (nth % 2 === 0 ? ann : elsewhere).post(path, { labels: [name] })),
      );
      for (const { status, text } of answers) expect(status, text).to.equal(200);
      expect(names(await ann.get(path)).map((name) => name.replace(/\/.*/, ''))).to.deep.equal([
        'bug',
        'kind',
      ]);
    });

    it('are removed and cleared by clients whose JSON calls itself text', async () => {
      const text = { 'content-type': 'text/plain;charset=UTF-8' };
      await ann.post(LABELS, { labels: ['bug', 'kind/a'] });
      expect((await ann.delete(`${LABELS}/${ids.bug}`, '{}', text)).status).to.equal(204);
      expect(names(await ann.get(LABELS))).to.deep.equal(['kind/a']);
      expect((await ann.delete(LABELS, 'all', text)).status).to.equal(422);
      expect((await ann.delete(LABELS, '{"updated_at":1}', text)).status).to.equal(422);
      expect((await ann.delete(LABELS, '{}', text)).status).to.equal(204);
      expect(names(await ann.get(LABELS))).to.deep.equal([]);
      expect((await ann.post(LABELS, '{"labels":["bug"]}', text)).status).to.equal(422);
    });

    it('are refused, and nothing is changed, where one is unknown or no label', async () => {
      expect((await ann.post(LABELS, { labels: ['bug', 'unknown'] })).status).to.equal(422);
      expect((await ann.post(LABELS, { labels: [ids.bug, 999_999] })).status).to.equal(422);
      expect((await ann.post(LABELS, { labels: ['bug', 999_999] })).status).to.equal(422);
      expect((await ann.post(LABELS, { labels: [String(ids.bug)] })).status).to.equal(422);
      expect((await ann.post(LABELS, { labels: [true] })).status).to.equal(422);
      expect((await ann.delete(`${LABELS}/999999`)).status).to.equal(422);
      expect(names(await ann.get(LABELS))).to.deep.equal([]);
    });

    it('are 100 at most on an issue', async () => {
      const ids: number[] = [];
      for (let n = 0; n <= 100; n++) {
        const { json } = await ann.post(`${REPO}/labels`, { name: `many ${n}`, color: 'fff' });
        ids.push((json as Named).id);
      }
      for (const [method, path, body] of [
        ['put', LABELS, { labels: ids }],
        ['post', LABELS, { labels: ids }],
        ['post', `${REPO}/issues`, { title: 'many', labels: ids }],
      ] as const) {
        const { status, message } = await ann[method](path, body);
        expect([status, message]).to.deep.equal([422, '[Labels]: an issue has 100 at most']);
      }
      expect((await ann.put(LABELS, { labels: ids.slice(1) })).status).to.equal(200);
      expect((await ann.post(LABELS, { labels: ids.slice(0, 1) })).status).to.equal(422);
      expect((await ann.delete(LABELS)).status).to.equal(204);
      for (const id of ids) expect((await ann.delete(`${REPO}/labels/${id}`)).status).to.equal(204);
    });

    it('are for writers', async () => {
      expect((await bob.post(LABELS, { labels: ['bug'] })).status).to.equal(403);
      expect((await bob.put(LABELS, { labels: ['bug'] })).status).to.equal(403);
      expect((await bob.delete(LABELS)).status).to.equal(403);
      expect((await api.anonymous.delete(LABELS)).status).to.equal(401);
      expect((await bob.post(`${REPO}/labels`, { name: 'x', color: 'fff' })).status).to.equal(403);
    });

    it('of the repository are named once, and go with their definition', async () => {
      for (const color of ['#12345g', '09g76a', ''])
        expect((await ann.post(`${REPO}/labels`, { name: 'odd', color })).status).to.equal(422);
      expect((await ann.post(`${REPO}/labels`, { name: 'BUG', color: 'fff' })).status).to.equal(422);
      const description = '🐛'.repeat(500);
      const label = { name: 'gone', color: 'fff', description };
      const long = { ...label, description: `${description}x` };
      expect((await ann.post(`${REPO}/labels`, long)).status).to.equal(422);
      const { id } = (await ann.post(`${REPO}/labels`, label)).json as Named;
      expect((await ann.patch(`${REPO}/labels/${id}`, long)).status).to.equal(422);
      await ann.post(LABELS, { labels: [id] });
      expect((await ann.patch(`${REPO}/labels/${id}`, { name: 'going' })).json).to.include({
        name: 'going',
        color: 'ffffff',
      });
      expect(names(await ann.get(LABELS))).to.deep.equal(['going']);
      expect((await ann.patch(`${REPO}/labels/${id}`, { is_archived: true })).status).to.equal(200);
      expect((await ann.patch(`${REPO}/labels/${id}`, { color: '#FFF000' })).json).to.include({
        is_archived: true,
        color: 'fff000',
      });
      await ann.post(`${REPO}/issues/1/labels`, { labels: [id] });
      expect(names(await ann.get(`${REPO}/labels?sort=mostissues`))[0]).to.equal('going');
      expect(names(await ann.get(`${REPO}/labels?sort=leastissues`)).at(-1)).to.equal('going');
      expect((await ann.get(`${REPO}/labels/going`)).json).to.include({ id });
      expect((await ann.delete(`${REPO}/labels/${id}`)).status).to.equal(204);
      expect((await ann.delete(`${REPO}/labels/${id}`)).status).to.equal(404);
      expect(names(await ann.get(LABELS))).to.deep.equal([]);
      expect(names(await ann.get(`${REPO}/labels?sort=reversealphabetically`))).to.deep.equal([
        'kind/b',
        'kind/a',
        'bug',
      ]);
    });

    it('of the organization are carried, and looked for, as well', async () => {
      await ann.post('/orgs', { username: 'acme' });
      expect((await ann.post('/orgs/acme/repos', { name: 'tool' })).status).to.equal(201);
      const { id } = (await ann.post('/orgs/acme/labels', { name: 'shared', color: 'fff' })).json as Named;
      await ann.post('/repos/acme/tool/issues', { title: 'x', labels: [id] });
      const { json } = await ann.get('/repos/acme/tool/issues/1/labels');
      expect(json).to.have.nested.property('[0].url', `${api.url()}/api/v1/orgs/acme/labels/${id}`);
      expect(names(await ann.put('/repos/acme/tool/issues/1/labels', { labels: ['shared'] }))).to.deep.equal([
        'shared',
      ]);
      for (const label of ['shared', id])
        expect((await ann.post(LABELS, { labels: [label] })).status).to.equal(422);
      const listed = await ann.get('/repos/acme/tool/issues?labels=shared');
      expect(listed.json).to.have.nested.property('[0].title', 'x');
      expect((await ann.delete(`/repos/acme/tool/issues/1/labels/${id}`)).status).to.equal(204);
    });

    it('of the repository are meant before those of the organization, and listed by name', async () => {
      const issue = '/repos/acme/tool/issues/1/labels';
      await ann.post('/orgs/acme/labels', { name: 'twin', color: 'fff' });
      const own = await ann.post('/repos/acme/tool/labels', { name: 'twin', color: 'fff' });
      await ann.post('/repos/acme/tool/labels', { name: 'Earlier', color: 'fff' });
      const carried = await ann.put(issue, { labels: ['twin', 'Earlier'] });
      expect(names(carried)).to.deep.equal(['Earlier', 'twin']);
      expect(carried.json).to.have.nested.property('[1].id', (own.json as Named).id);
      expect((await ann.delete(issue)).status).to.equal(204);
    });

    it('are defined by writers of pull requests too, as milestones are', async () => {
      const cid = await api.createUser('cid');
      const units_map = { 'repo.pulls': 'write' };
      const team = await ann.post('/orgs/acme/teams', {
        name: 'pulls',
        units_map,
        includes_all_repositories: true,
      });
      const { id } = team.json as Named;
      expect((await ann.put(`/teams/${id}/members/cid`)).status).to.equal(204);
      for (const [path, body] of [
        ['labels', { name: 'of cid', color: 'fff' }],
        ['milestones', { title: 'of cid' }],
      ] as const) {
        const made = await cid.post(`/repos/acme/tool/${path}`, body);
        expect(made.status, made.text).to.equal(201);
        const own = `/repos/acme/tool/${path}/${(made.json as Named).id}`;
        expect((await cid.patch(own, { description: 'x' })).status).to.equal(200);
        expect((await cid.delete(own)).status).to.equal(204);
        expect((await bob.post(`/repos/acme/tool/${path}`, body)).status).to.equal(403);
      }
      expect((await cid.post('/repos/acme/tool/issues/1/labels', { labels: [] })).status).to.equal(403);
      expect((await ann.patch('/repos/acme/tool', { private: true })).status).to.equal(200);
      expect((await cid.get('/repos/acme/tool/milestones')).status).to.equal(200);
      expect((await cid.post('/repos/acme/tool/labels', { name: 'x', color: 'fff' })).status).to.equal(201);
      for (const path of ['issues', 'issues/1', 'issues/comments'])
        expect((await cid.get(`/repos/acme/tool/${path}`)).status).to.equal(404);
      expect((await bob.get('/repos/acme/tool/labels')).status).to.equal(404);
    });

    it('of an owner before are not carried any more, nor looked for', async () => {
      await ann.post('/orgs/acme/repos', { name: 'leaving' });
      const { id } = (await ann.post('/orgs/acme/labels', { name: 'of-acme', color: 'fff' })).json as Named;
      await ann.post('/repos/acme/leaving/issues', { title: 'moved', labels: [id] });
      const found = async () =>
        ((await ann.get('/repos/issues/search?labels=of-acme')).json as { title: string }[]).map(
          ({ title }) => title,
        );
      expect(await found()).to.deep.equal(['moved']);
      expect((await ann.post('/repos/acme/leaving/transfer', { new_owner: 'ann' })).status).to.equal(202);
      expect(names(await ann.get('/repos/ann/leaving/issues/1/labels'))).to.deep.equal([]);
      expect(await found()).to.deep.equal([]);
    });

    it('of an owner before stay as they are while what is shown does', async () => {
      await ann.post('/orgs/acme/repos', { name: 'returning' });
      const { id } = (await ann.post('/orgs/acme/labels', { name: 'hidden', color: 'fff' })).json as Named;
      await ann.post('/repos/acme/returning/labels', { name: 'own', color: 'fff' });
      await ann.post('/repos/acme/returning/issues', { title: 'there and back', labels: [id] });
      await ann.post('/repos/acme/returning/transfer', { new_owner: 'ann' });
      const issue = '/repos/ann/returning/issues/1';
      const before = await ann.get(issue);
      expect((await ann.put(`${issue}/labels`, { labels: [] })).status).to.equal(200);
      expect((await ann.delete(`${issue}/labels`)).status).to.equal(204);
      const after = await ann.get(issue);
      expect(after.json).to.deep.equal(before.json);
      expect(after.headers.get('etag')).to.equal(before.headers.get('etag'));
      expect(names(await ann.put(`${issue}/labels`, { labels: ['own'] }))).to.deep.equal(['own']);
      await ann.post('/repos/ann/returning/transfer', { new_owner: 'acme' });
      expect(names(await ann.get('/repos/acme/returning/issues/1/labels'))).to.deep.equal(['own']);
    });

    it('of an owner before are excluded by one of the same scope', async () => {
      await ann.post('/orgs/acme/repos', { name: 'scoped' });
      const exclusive = (name: string) => ({ name, color: 'fff', exclusive: true });
      const ids = await Promise.all(
        ['left/high', 'kept/high'].map(
          async (name) => ((await ann.post('/orgs/acme/labels', exclusive(name))).json as Named).id,
        ),
      );
      await ann.post('/repos/acme/scoped/labels', exclusive('left/low'));
      await ann.post('/repos/acme/scoped/issues', { title: 'of two scopes', labels: ids });
      await ann.post('/repos/acme/scoped/transfer', { new_owner: 'ann' });
      const added = await ann.post('/repos/ann/scoped/issues/1/labels', { labels: ['left/low'] });
      expect(names(added)).to.deep.equal(['left/low']);
      await ann.post('/repos/ann/scoped/transfer', { new_owner: 'acme' });
      expect(names(await ann.get('/repos/acme/scoped/issues/1/labels'))).to.deep.equal([
        'kept/high',
        'left/low',
      ]);
    });
  });

  describe('milestones', () => {
    const MILESTONES = `${REPO}/milestones`;
    const make = async (fields: object) => {
      const { status, json, text } = await ann.post(MILESTONES, fields);
      expect(status, text).to.equal(201);
      return json as { id: number; title: string; state: string };
    };
    const titles = ({ json }: { readonly json: unknown }) =>
      (json as { title: string }[]).map(({ title }) => title);

    it('are found by a part of the title in any letter case, with either small sigma', async () => {
      const { id } = await make({ title: 'ΣΊΣΥΦΟΣ' });
      for (const part of ['ΣΊΣ', 'σίσ', 'σίς', 'Σίσυφος', 'σίσυφοσ'])
        expect(titles(await ann.get(`${MILESTONES}?name=${encodeURIComponent(part)}`)), part).to.deep.equal([
          'ΣΊΣΥΦΟΣ',
        ]);
      expect((await ann.delete(`${MILESTONES}/${id}`)).status).to.equal(204);
    });

    it('are made, listed, closed and deleted', async () => {
      const late = await make({ title: 'late', due_on: '2031-01-01T00:00:00Z' });
      await make({ title: 'soon', due_on: '2030-01-01T00:00:00Z', description: 'text' });
      const done = await make({ title: 'done', state: 'closed' });
      expect(done).to.have.property('closed_at').that.is.a('string');
      expect(titles(await ann.get(MILESTONES))).to.deep.equal(['soon', 'late', 'done']);
      expect(titles(await ann.get(`${MILESTONES}?state=closed`))).to.deep.equal(['done']);
      expect(titles(await ann.get(`${MILESTONES}?state=open`))).to.deep.equal(['soon', 'late']);
      expect(titles(await ann.get(`${MILESTONES}?name=OO`))).to.deep.equal(['soon']);
      const again = await make({ title: 'Also done' });
      expect(titles(await ann.get(MILESTONES))).to.deep.equal(['soon', 'late', 'Also done', 'done']);
      expect((await ann.delete(`${MILESTONES}/${again.id}`)).status).to.equal(204);
      expect((await ann.get(`${MILESTONES}/soon`)).json).to.include({
        description: 'text',
        due_on: '2030-01-01T00:00:00Z',
      });

      await ann.patch(`${REPO}/issues/1`, { milestone: late.id });
      expect((await ann.get(`${MILESTONES}/${late.id}`)).json).to.include({
        open_issues: 1,
        closed_issues: 0,
      });
      await ann.patch(`${REPO}/issues/1`, { state: 'closed' });
      expect((await ann.get(`${MILESTONES}/${late.id}`)).json).to.include({
        open_issues: 0,
        closed_issues: 1,
      });
      const closed = await ann.patch(`${MILESTONES}/${late.id}`, {
        state: 'closed',
        due_on: null,
        title: '',
      });
      expect(closed.json).to.deep.include({ state: 'closed', due_on: null, title: 'late' });
      expect((closed.json as { closed_at: string }).closed_at).to.be.a('string');
      const reopened = await ann.patch(`${MILESTONES}/${late.id}`, { state: 'open' });
      expect(reopened.json).to.include({ state: 'open', closed_at: null });
      expect((await ann.delete(`${MILESTONES}/${late.id}`)).status).to.equal(204);
      expect((await ann.delete(`${MILESTONES}/${late.id}`)).status).to.equal(404);
      expect((await ann.get(`${REPO}/issues/1`)).json).to.deep.include({ milestone: null });
    });

    it('are changed and deleted by their titles too', async () => {
      const { id } = await make({ title: 'by name' });
      const renamed = await ann.patch(`${MILESTONES}/by%20name`, { title: 'renamed', state: 'closed' });
      expect(renamed.status).to.equal(200);
      expect(renamed.json).to.include({ id, title: 'renamed', state: 'closed' });
      const told = await ann.patch(`${MILESTONES}/renamed`, { description: 'still closed' });
      expect(told.json).to.include({ state: 'closed' });
      expect((await ann.patch(`${MILESTONES}/by%20name`, { title: 'x' })).status).to.equal(404);
      expect((await ann.delete(`${MILESTONES}/renamed`)).status).to.equal(204);
      expect((await ann.get(`${MILESTONES}/${id}`)).status).to.equal(404);
    });

    it('change with the issues that they have, when these change, whichever time that is to be', async () => {
      const { created_at } = (await ann.get(`${REPO}/issues/2`)).json as { created_at: string };
      const { id } = await make({ title: 'moving' });
      let days = 0;
      for (const change of [{ milestone: id }, { state: 'closed' }, { state: 'open' }, { milestone: 0 }])
        await ahead((days += 1) * DAY_MS, async () => {
          const { status } = await ann.patch(`${REPO}/issues/2`, { ...change, updated_at: created_at });
          expect(status).to.equal(201);
          const { updated_at } = (await ann.get(`${MILESTONES}/${id}`)).json as { updated_at: string };
          expect(Date.parse(updated_at)).to.be.greaterThan(Date.parse(created_at) + days * DAY_MS - 1);
        });
    });

    it('count issues that are closed already, as those', async () => {
      const { number } = (await ann.post(`${REPO}/issues`, { title: 'over' })).json as { number: number };
      const issue = `${REPO}/issues/${number}`;
      await ann.patch(issue, { state: 'closed' });
      const ids = [(await make({ title: 'from' })).id, (await make({ title: 'to' })).id] as const;
      const counts = async () => {
        const read = await Promise.all(ids.map((id) => ann.get(`${MILESTONES}/${id}`)));
        return read.map(({ json }) => {
          const { open_issues: open, closed_issues: closed } = json as Record<string, number>;
          return `${open} open, ${closed} closed`;
        });
      };
      const closed = async () =>
        Number((await ann.get(`${REPO}/issues?state=closed`)).headers.get('x-total-count'));
      const [none, one] = ['0 open, 0 closed', '0 open, 1 closed'];
      expect((await ann.patch(issue, { milestone: ids[0] })).status).to.equal(201);
      expect(await counts()).to.deep.equal([one, none]);
      expect((await ann.patch(issue, { milestone: ids[1] })).status).to.equal(201);
      expect(await counts()).to.deep.equal([none, one]);
      const before = await closed();
      expect((await ann.delete(issue)).status).to.equal(204);
      expect(await counts()).to.deep.equal([none, none]);
      expect(await closed()).to.equal(before - 1);
    });

    it('have a title, and states that are known', async () => {
      expect((await ann.post(MILESTONES, {})).status).to.equal(422);
      const { id } = await make({ title: 'x' });
      expect((await ann.patch(`${MILESTONES}/${id}`, { state: 'ajar' })).status).to.equal(422);
      expect((await ann.post(MILESTONES, { title: 'é'.repeat(256) })).status).to.equal(422);
      expect((await ann.post(MILESTONES, { title: 'x', description: 'x'.repeat(65_537) })).status).to.equal(
        422,
      );
      await make({ title: 'é'.repeat(255) });
      expect((await bob.post(MILESTONES, { title: 'y' })).status).to.equal(403);
    });
  });
});
