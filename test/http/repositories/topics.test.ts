import { expect } from 'chai';
import { statuses } from '../organizations/world.js';
import { done, peopleApi, repository } from './people.js';

describe('topics', () => {
  const world = peopleApi();
  const open = '/repos/owner/open/topics';
  const shut = '/repos/owner/shut/topics';
  const topics = async (path = open) => ((await world().owner.get(path)).json as { topics: string[] }).topics;

  it('are read by whoever sees the repository', async () => {
    const { api, wrong, stranger, reader } = world();
    const clients = [api.anonymous, wrong, stranger, reader];
    expect(await statuses(clients, (client) => client.get(open))).to.deep.equal([200, 401, 200, 200]);
    expect(await statuses(clients, (client) => client.get(shut))).to.deep.equal([404, 401, 404, 200]);
  });

  it('are changed by administrators of the repository', async () => {
    const { api, stranger, writer, administrator } = world();
    const clients = [api.anonymous, stranger, writer];
    expect(await statuses(clients, (client) => client.put(open, '{'))).to.deep.equal([401, 403, 403]);
    expect(await statuses(clients, (client) => client.put(`${open}/a`))).to.deep.equal([401, 403, 403]);
    expect(await statuses(clients, (client) => client.delete(`${open}/a`))).to.deep.equal([401, 403, 403]);
    expect(await statuses(clients, (client) => client.put(shut, '{'))).to.deep.equal([404, 404, 403]);
    expect((await administrator.put(`${shut}/mine`)).status).to.equal(204);
  });

  it('are replaced, come and go, and show in the repository', async () => {
    const { owner } = world();
    expect((await owner.put(open, { topics: ['Zoo', 'api', ' api '] })).status).to.equal(204);
    expect(await topics()).to.deep.equal(['api', 'zoo']);
    expect((await owner.put(`${open}/Go`)).status).to.equal(204);
    expect((await owner.delete(`${open}/ZOO`)).status).to.equal(204);
    expect((await owner.delete(`${open}/zoo`)).status).to.equal(404);
    expect(await topics()).to.deep.equal(['api', 'go']);
    expect((await owner.get('/repos/owner/open')).json).to.deep.include({ topics: ['api', 'go'] });
    expect((await owner.put(open)).status).to.equal(204);
    expect(await topics()).to.deep.equal([]);
  });

  it('that cannot be are named', async () => {
    const { owner } = world();
    const bad = await owner.put(open, { topics: ['fine', 'not fine', '-x'] });
    expect([bad.status, (bad.json as { invalidTopics: unknown }).invalidTopics]).to.deep.equal([
      422,
      ['-x', 'not fine'],
    ]);
    const many = await owner.put(open, { topics: Array.from({ length: 26 }, (_, index) => `t${index}`) });
    expect([many.status, (many.json as { invalidTopics: unknown }).invalidTopics]).to.deep.equal([422, null]);
    expect((await owner.put(`${open}/a_b`)).status).to.equal(422);
    expect((await owner.put(open, { topics: 'a' })).status).to.equal(422);
    expect(await topics()).to.deep.equal([]);
  });

  it('of what is archived stay', async () => {
    const { owner } = world();
    await repository(owner, '/user/repos', { name: 'old' });
    await done(owner.patch('/repos/owner/old', { archived: true }));
    expect((await owner.put('/repos/owner/old/topics/a')).status).to.equal(423);
    expect((await owner.put('/repos/owner/old/topics', { topics: ['-x'] })).status).to.equal(422);
  });

  it('are found by a part, the most used first, counted as the caller sees them', async () => {
    const { api, owner } = world();
    for (const name of ['one', 'two']) {
      await repository(owner, '/user/repos', { name });
      await done(owner.put(`/repos/owner/${name}/topics`, { topics: ['find-me', `find-${name}`] }));
    }
    await done(owner.put(shut, { topics: ['find-me', 'find-hidden'] }));
    const found = async (client: typeof owner | typeof api.anonymous, query: string) => {
      const { status, json, headers } = await client.get(`/topics/search?${query}`);
      expect(status).to.equal(200);
      const list = (json as { topics: { topic_name: string; repo_count: number }[] }).topics;
      return [
        list.map(({ topic_name, repo_count }) => `${topic_name} ${repo_count}`),
        headers.get('x-total-count'),
      ];
    };
    expect(await found(api.anonymous, 'q=FIND')).to.deep.equal([
      ['find-me 2', 'find-one 1', 'find-two 1'],
      '3',
    ]);
    expect(await found(owner, 'q=find&limit=2')).to.deep.equal([['find-me 3', 'find-hidden 1'], '4']);
    expect(await found(owner, 'q=%25')).to.deep.equal([[], '0']);
    const [topic] = (
      (await owner.get('/topics/search?q=find-one')).json as { topics: Record<string, unknown>[] }
    ).topics;
    expect(topic).to.have.all.keys('id', 'topic_name', 'repo_count', 'created', 'updated');
    expect(Number.isSafeInteger(topic?.id)).to.equal(true);
  });
});
