import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import type { TestAnswer } from '../support/client.js';

/** A process that ends between the append and the keeping of the answer, as its successor sees it. */
describe('Idempotency-Key after a crash', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
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
  ): Promise<TestAnswer> {
    const headers = { 'idempotency-key': `after-crash-${++keys}` };
    await sqlRows('create trigger crash before update on vault.answers for each row execute function fail()');
    expect((await request(headers)).status).to.equal(500);
    await sqlRows('drop trigger crash on vault.answers');
    await meanwhile();
    await api.restart();
    const answer = await request(headers);
    expect((await request(headers)).status, 'once more').to.equal(answer.status);
    return answer;
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

  it('gives again an answer that has a body', async () => {
    const { status, json } = await again((key) =>
      api.admin.post('/admin/quota/rules', { name: 'made once', limit: 7, subjects: [] }, key),
    );
    expect(status).to.equal(201);
    expect(json).to.deep.equal({ name: 'made once', limit: 7, subjects: [] });
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

  it('is 422 for another body already then', async () => {
    const body = (limit: number) => ({ name: 'bodies', limit, subjects: [] });
    const headers = { 'idempotency-key': 'two-bodies' };
    await sqlRows('create trigger crash before update on vault.answers for each row execute function fail()');
    expect((await api.admin.post('/admin/quota/rules', body(1), headers)).status).to.equal(500);
    await sqlRows('drop trigger crash on vault.answers');
    expect((await api.admin.post('/admin/quota/rules', body(2), headers)).status).to.equal(422);
  });
});
