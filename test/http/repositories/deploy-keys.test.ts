import { expect } from 'chai';
import { newKey } from '../../support/public-keys.js';
import { statuses } from '../organizations/world.js';
import { done, peopleApi, repository } from './people.js';

interface Key {
  readonly id: number;
  readonly title: string;
  readonly fingerprint: string;
}

describe('deploy keys', () => {
  const world = peopleApi();
  const open = '/repos/owner/open/keys';
  const shut = '/repos/owner/shut/keys';
  const add = async (body: object, path = open) => (await done(world().owner.post(path, body))) as Key;

  it('are for administrators of the repository, whatever is asked', async () => {
    const { api, wrong, stranger, reader, writer } = world();
    const { id } = await add({ title: 'theirs', key: newKey() });
    const clients = [api.anonymous, wrong, stranger, reader, writer];
    for (const call of [
      (client: typeof writer | typeof api.anonymous) => client.get(open),
      (client: typeof writer | typeof api.anonymous) => client.post(open, '{'),
      (client: typeof writer | typeof api.anonymous) => client.get(`${open}/${id}`),
      (client: typeof writer | typeof api.anonymous) => client.delete(`${open}/${id}`),
    ])
      expect(await statuses(clients, call)).to.deep.equal([401, 401, 403, 403, 403]);
    expect(await statuses(clients, (client) => client.get(shut))).to.deep.equal([404, 401, 404, 403, 403]);
  });

  it('are told whole; the repository to its owners', async () => {
    const { owner, administrator } = world();
    const key = newKey();
    const { status, json } = await owner.post(open, { title: 'ci', key: `${key}\n`, read_only: true });
    expect(status).to.equal(201);
    const { id, fingerprint } = json as Key;
    expect(json).to.deep.include({ id, key_id: id, key: key.trim(), title: 'ci', read_only: true });
    expect((json as { repository: { full_name: string } }).repository.full_name).to.equal('owner/open');
    expect((json as { url: string }).url).to.match(new RegExp(`/api/v1${open}/${id}$`));
    expect((await owner.get(`${open}/${id}`)).json).to.deep.equal(json);
    expect((await administrator.get(`${open}/${id}`)).json).to.not.have.property('repository');
    expect(
      (await administrator.get(`${open}?fingerprint=${encodeURIComponent(fingerprint)}`)).json,
    ).to.have.length(1);
    expect((await administrator.get(`${open}?key_id=${id}`)).json).to.have.length(1);
    expect((await administrator.get(`${open}?fingerprint=x`)).json).to.deep.equal([]);
    expect((await administrator.get(`${open}?fingerprint=`)).json).to.deep.equal(
      (await administrator.get(open)).json,
    );
    expect((await owner.post(open, { title: 'writes', key: newKey() })).json).to.deep.include({
      read_only: false,
    });
  });

  it('are listed, the oldest first, in pages', async () => {
    const { owner } = world();
    await repository(owner, '/user/repos', { name: 'listed' });
    const path = '/repos/owner/listed/keys';
    for (const title of ['b', 'a', 'c']) await add({ title, key: newKey() }, path);
    const { json, headers } = await owner.get(`${path}?limit=2`);
    expect((json as Key[]).map(({ title }) => title)).to.deep.equal(['b', 'a']);
    expect(headers.get('x-total-count')).to.equal('3');
  });

  it('are 422 where they are none, or the title or the key is there already, or a user has the key', async () => {
    const { owner, stranger } = world();
    const key = newKey();
    await add({ title: 'first', key });
    const ofUser = newKey();
    await done(stranger.post('/user/keys', { title: 'mine', key: ofUser }));
    for (const body of [
      {},
      { title: 'x' },
      { key: newKey() },
      { title: 'x', key: 'ssh-ed25519 AAAA' },
      { title: 'first', key: newKey() },
      { title: 'second', key },
      { title: 'x', key: ofUser },
    ])
      expect((await owner.post(open, body)).status, JSON.stringify(body)).to.equal(422);
    expect((await stranger.post('/user/keys', { title: 'theirs', key })).status).to.equal(422);
  });

  it('may serve several repositories, and a user once they are gone', async () => {
    const { owner, stranger } = world();
    const key = newKey();
    const first = await add({ title: 'shared', key });
    const second = await add({ title: 'shared', key }, shut);
    expect(second.fingerprint).to.equal(first.fingerprint);
    await done(owner.delete(`${open}/${first.id}`));
    expect((await stranger.post('/user/keys', { title: 'now', key })).status).to.equal(422);
    await done(owner.delete(`${shut}/${second.id}`));
    expect((await stranger.post('/user/keys', { title: 'now', key })).status).to.equal(201);
  });

  it('and a key of a user are never the same, though both are added at once', async () => {
    const { owner, stranger } = world();
    for (let round = 0; round < 5; round++) {
      const key = { title: `at once ${round}`, key: newKey() };
      const [ofRepository, ofUser] = await Promise.all([
        owner.post(open, key),
        stranger.post('/user/keys', key),
      ]);
      expect([ofRepository.status, ofUser.status]).to.have.members([201, 422]);
    }
  });

  it('of another repository are 404', async () => {
    const { owner } = world();
    const { id } = await add({ title: 'elsewhere', key: newKey() });
    for (const path of [`${shut}/${id}`, `${open}/999999`, `${open}/x`])
      expect(await statuses([owner], (client) => client.get(path))).to.deep.equal([404]);
    expect((await owner.delete(`${shut}/${id}`)).status).to.equal(404);
    expect((await owner.delete(`${open}/${id}`)).status).to.equal(204);
    expect((await owner.delete(`${open}/${id}`)).status).to.equal(404);
  });

  it('of what is archived are 423 to change', async () => {
    const { owner } = world();
    await repository(owner, '/user/repos', { name: 'old' });
    const { id } = await add({ title: 'a', key: newKey() }, '/repos/owner/old/keys');
    await done(owner.patch('/repos/owner/old', { archived: true }));
    expect((await owner.post('/repos/owner/old/keys', { title: 'b', key: newKey() })).status).to.equal(423);
    expect((await owner.delete(`/repos/owner/old/keys/${id}`)).status).to.equal(423);
  });
});
