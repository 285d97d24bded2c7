import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Deliveries } from '../../../src/webhooks/deliveries.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

interface Delivery {
  readonly id: string;
  readonly [field: string]: unknown;
}

const REPO = '/repos/ann/project';
const HOOKS = `${REPO}/hooks`;

describe('deliveries', () => {
  let api: TestApi;
  let ann: TestUser;
  let deliveries: Deliveries;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    for (const body of [{ name: 'project', auto_init: true }, { name: 'empty' }])
      expect((await ann.post('/user/repos', body)).status).to.equal(201);
    expect((await ann.post('/orgs', { username: 'acme' })).status).to.equal(201);
    deliveries = new Deliveries(api.connections.db);
  });
  after(() => api.stop());

  const create = async (path = HOOKS, fields: object = {}, client: TestApi['admin'] = ann) => {
    const config = { url: 'https://example.org/', content_type: 'json' };
    const { status, json, text } = await client.post(path, {
      type: 'forgejo',
      config,
      active: true,
      ...fields,
    });
    expect(status, text).to.equal(201);
    return (json as { id: number }).id;
  };
  const listed = async (id: number, query = '') => {
    const answer = await ann.get(`${HOOKS}/${id}/deliveries${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return { ...answer, rows: answer.json as Delivery[] };
  };
  const test = async (id: number, query = '', hooks = HOOKS) =>
    (await ann.post(`${hooks}/${id}/tests${query}`)).status;

  describe('of a test', () => {
    it('are a push of one commit, to that hook alone', async () => {
      const [one, other] = [await create(), await create()];
      expect(await test(one)).to.equal(204);
      expect((await listed(other)).rows).to.deep.equal([]);
      const { rows, headers } = await listed(one);
      expect(headers.get('x-total-count')).to.equal('1');
      expect(rows[0]).to.deep.include({
        event: 'push',
        event_type: 'push',
        status: 'pending',
        attempts: 0,
        settled_at: null,
        response_status: null,
        error: null,
      });
      const { json } = await ann.get(`${HOOKS}/${one}/deliveries/${rows[0]?.id ?? ''}`);
      const { payload, request, response } = json as Delivery;
      expect([request, response]).to.deep.equal([null, null]);
      const body = JSON.parse(payload as string) as Record<string, unknown>;
      expect(body).to.include({ ref: 'refs/heads/main', total_commits: 1 });
      expect(body.before).to.equal(body.after);
      expect(body.commits).to.have.length(1);
      const detail = { verified: false, reason: 'gpg.error.not_signed_commit', signature: '', payload: '' };
      expect(body.head_commit).to.deep.include({
        id: body.after,
        verification: { ...detail, signer: null },
        added: null,
        removed: null,
        modified: null,
      });
      expect(body.sender).to.include({ login: 'ann' });
    });

    it('name what was asked for', async () => {
      const id = await create();
      expect((await ann.post(`${REPO}/tags`, { tag_name: 'v1' })).status).to.equal(201);
      expect(await test(id, '?ref=v1')).to.equal(204);
      const { rows } = await listed(id);
      const { json } = await ann.get(`${HOOKS}/${id}/deliveries/${rows[0]?.id ?? ''}`);
      expect(JSON.parse((json as Delivery).payload as string)).to.include({ ref: 'v1' });
      expect(await test(id, '?ref=nothing')).to.equal(404);
      expect(await test(999_999)).to.equal(404);
    });

    it('are one where the same request comes twice, under the id of any other', async () => {
      const id = await create();
      const headers = { 'idempotency-key': 'one-test' };
      for (const times of [1, 2])
        expect((await ann.post(`${HOOKS}/${id}/tests`, undefined, headers)).status, `${times}`).to.equal(204);
      const { rows } = await listed(id);
      expect(rows).to.have.length(1);
      expect(rows[0]?.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    });

    it('are of one commit where a tag was named in full, too', async () => {
      const id = await create();
      expect((await ann.post(`${REPO}/tags`, { tag_name: 'v2' })).status).to.equal(201);
      expect(await test(id, '?ref=refs/tags/v2')).to.equal(204);
      const { rows } = await listed(id);
      const { json } = await ann.get(`${HOOKS}/${id}/deliveries/${rows[0]?.id ?? ''}`);
      const body = JSON.parse((json as Delivery).payload as string) as Record<string, unknown>;
      expect(body).to.include({ ref: 'refs/tags/v2', total_commits: 1 });
      expect(body.commits).to.have.length(1);
    });

    it('pass the filter of branches, however the branch is named', async () => {
      const id = await create(HOOKS, { branch_filter: 'release/*' });
      expect((await ann.post(`${REPO}/branches`, { new_branch_name: 'release/1' })).status).to.equal(201);
      for (const start of ['', 'heads/', 'refs/heads/']) {
        expect(await test(id, `?ref=${start}main`)).to.equal(204);
        expect(await test(id, `?ref=${start}release/1`)).to.equal(204);
      }
      expect((await listed(id)).rows).to.have.length(3);
    });

    it('are none where the hook would not be told', async () => {
      for (const fields of [{ active: false }, { events: ['fork'] }, { branch_filter: 'release/*' }]) {
        const id = await create(HOOKS, fields);
        expect(await test(id)).to.equal(204);
        expect((await listed(id)).rows, JSON.stringify(fields)).to.deep.equal([]);
      }
      const id = await create('/repos/ann/empty/hooks');
      expect(await test(id, '', '/repos/ann/empty/hooks')).to.equal(204);
      expect((await deliveries.list(id, {}, { offset: 0, limit: 1 }))[1]).to.equal(0);
    });
  });

  it('are listed by status and time, the newest first, in pages', async () => {
    const id = await create();
    for (let times = 0; times < 3; times++) expect(await test(id)).to.equal(204);
    const { rows } = await listed(id);
    expect(rows).to.have.length(3);
    const second = await listed(id, '?limit=1&page=2');
    expect(second.rows).to.deep.equal([rows[1]]);
    expect(second.headers.get('link')).to.include('rel="next"');
    expect((await listed(id, '?status=pending')).rows).to.have.length(3);
    expect((await listed(id, '?status=failed')).rows).to.deep.equal([]);
    expect((await listed(id, '?since=2999-01-01T00:00:00Z')).rows).to.deep.equal([]);
    expect((await listed(id, '?until=2000-01-01T00:00:00Z')).rows).to.deep.equal([]);
    expect((await listed(id, '?status=&since=&until=')).rows).to.have.length(3);
    expect((await listed(id, '?since=2000-01-01T00:00:00+02:00')).rows).to.have.length(3); // as typed, not escaped
    for (const query of ['?status=lost', '?since=yesterday'])
      expect((await ann.get(`${HOOKS}/${id}/deliveries${query}`)).status).to.equal(422);
  });

  const settle = (id: string, status: string) =>
    api.connections.db.rows(`
      update deliveries.deliveries set status = '${status}', settled_at = now(), attempts = 7
      where id = '${id}'`);

  it('are made again under their id, one or many', async () => {
    const id = await create();
    for (let times = 0; times < 3; times++) expect(await test(id)).to.equal(204);
    const [one, two, three] = (await listed(id)).rows.map((row) => row.id);
    await settle(one ?? '', 'failed');
    await settle(two ?? '', 'failed');
    await settle(three ?? '', 'delivered');
    const again = await ann.post(`${HOOKS}/${id}/deliveries/${one ?? ''}/redeliver`);
    expect(again.status).to.equal(202);
    expect(again.json).to.include({ id: one, status: 'pending', attempts: 0 });
    expect((await listed(id, '?status=pending')).rows.map((row) => row.id)).to.deep.equal([one]);

    const range = async (body: object) => {
      const { status, json, text } = await ann.post(`${HOOKS}/${id}/redeliver`, body);
      expect(status, text).to.equal(202);
      return (json as { queued: number }).queued;
    };
    await settle(one ?? '', 'failed');
    expect(await range({ status: 'failed', until: '2000-01-01T00:00:00Z' })).to.equal(0);
    expect(await range({ status: 'failed', since: '2000-01-01T00:00:00Z' })).to.equal(2);
    expect((await listed(id, '?status=delivered')).rows).to.have.length(1);
    const byQuery = await ann.post(`${HOOKS}/${id}/redeliver?status=delivered&until=2000-01-01T00:00:00Z`);
    expect([byQuery.status, byQuery.json]).to.deep.equal([202, { queued: 0 }]);
    for (const body of [{ status: 'lost' }, { since: 'yesterday' }, { until: 7 }])
      expect((await ann.post(`${HOOKS}/${id}/redeliver`, body)).status).to.equal(422);
  });

  it('are found at their own hook alone', async () => {
    const [one, other] = [await create(), await create()];
    expect(await test(one)).to.equal(204);
    const delivery = (await listed(one)).rows[0]?.id ?? '';
    for (const path of [
      `${HOOKS}/${other}/deliveries/${delivery}`,
      `${HOOKS}/${one}/deliveries/${randomUUID()}`,
      `${HOOKS}/${one}/deliveries/abc`,
      `/orgs/acme/hooks/${one}/deliveries/${delivery}`,
    ]) {
      expect((await ann.get(path)).status, path).to.equal(404);
      expect((await ann.post(`${path}/redeliver`)).status, path).to.equal(404);
    }
    expect((await ann.get('/orgs/acme/hooks/999999/deliveries')).status).to.equal(404);
    expect((await ann.post('/orgs/acme/hooks/999999/redeliver', {})).status).to.equal(404);
  });

  it('are shown of hooks of accounts and of the server as well', async () => {
    for (const [path, client] of [
      ['/orgs/acme/hooks', ann],
      ['/user/hooks', ann],
      ['/admin/hooks', api.admin],
    ] as const) {
      const id = await create(path, {}, client);
      const delivery = randomUUID();
      const planned = { hookId: id, key: 'x', event: 'fork', eventType: 'fork', payload: '{}' };
      await deliveries.send(planned, delivery);
      expect((await client.get(`${path}/${id}/deliveries`)).json).to.have.length(1);
      expect((await client.get(`${path}/${id}/deliveries/${delivery}`)).json).to.include({ payload: '{}' });
      expect((await client.post(`${path}/${id}/deliveries/${delivery}/redeliver`)).status).to.equal(202);
      expect((await client.post(`${path}/${id}/redeliver`, {})).status).to.equal(202);
    }
  });

  it('take a token that reads code and issues', async () => {
    for (const [path, own] of [
      [HOOKS, 'repository'],
      ['/orgs/acme/hooks', 'organization'],
      ['/user/hooks', 'user'],
    ] as const) {
      const id = await create(path);
      const delivery = randomUUID();
      const planned = { hookId: id, key: 'x', event: 'issues', eventType: 'issues', payload: '{}' };
      await deliveries.send(planned, delivery);
      const at = `${path}/${id}/deliveries/${delivery}`;
      const [narrow, wide] = [[own], [own, 'repository', 'issue']];
      for (const [scopes, read, written] of [
        [narrow, 403, 403],
        [wide, 200, 202],
      ] as const) {
        const token = await api.createToken('ann', ...scopes.map((scope) => `write:${scope}`));
        expect((await token.get(`${path}/${id}`)).status, path).to.equal(200);
        expect((await token.get(`${path}/${id}/deliveries`)).status, path).to.equal(read);
        expect((await token.get(at)).status, path).to.equal(read);
        expect((await token.post(`${at}/redeliver`)).status, path).to.equal(written);
        expect((await token.post(`${path}/${id}/redeliver`, {})).status, path).to.equal(written);
      }
    }
  });

  it('end with their hook', async () => {
    const id = await create();
    expect(await test(id)).to.equal(204);
    expect((await ann.delete(`${HOOKS}/${id}`)).status).to.equal(204);
    expect((await deliveries.list(id, {}, { offset: 0, limit: 1 }))[1]).to.equal(0);
  });
});
