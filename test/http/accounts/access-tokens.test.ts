import { expect } from 'chai';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';

interface MadeToken {
  readonly id: number;
  readonly name: string;
  readonly sha1: string;
  readonly token_last_eight: string;
  readonly created_at: string;
  readonly scopes: readonly string[];
}

const everyWrite = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
].map((category) => `write:${category}`);

describe('access tokens', () => {
  let api: TestApi;
  let alice: TestUser;
  let bob: TestUser;

  before(async () => {
    api = await startApi();
    [alice, bob] = await Promise.all([api.createUser('alice'), api.createUser('bob')]);
  });
  after(() => api.stop());

  for (const [method, path] of [
    ['GET', '/users/alice/tokens'],
    ['POST', '/users/alice/tokens'],
    ['DELETE', '/users/alice/tokens/1'],
  ] as const)
    it(`${method} is for the user and administrators, by password`, async () => {
      expect((await api.anonymous.send(method, path)).status).to.equal(401);
      expect((await bob.send(method, path)).status).to.equal(403);
      const token = await api.createToken('alice', 'all');
      expect((await token.send(method, path)).status).to.equal(401);
      expect((await api.as({ username: 'x', password: token.token }).send(method, path)).status).to.equal(
        401,
      );
      const narrow = await api.createToken('alice', 'write:issue');
      expect((await narrow.send(method, path)).status).to.equal(403);
      const absent = path.replace('alice', 'nobody');
      expect((await api.admin.send(method, absent)).status).to.equal(404);
      expect((await alice.send(method, absent)).status).to.equal(403);
    });

  it('lists the newest first, whichever api made them', async () => {
    const dave = await api.createUser('dave');
    const other = (await api.another()).as({ username: 'dave', password: PASSWORD });
    const names = ['one', 'two', 'three', 'four'];
    for (const [nth, name] of names.entries()) {
      const token = { name, scopes: ['all'] };
      expect((await (nth % 2 === 0 ? other : dave).post('/users/dave/tokens', token)).status).to.equal(201);
    }
    const listed = (await dave.get('/users/dave/tokens')).json as MadeToken[];
    expect(listed.map(({ name }) => name)).to.deep.equal(names.reverse());
  });

  it('shows the secret once, and lists the rest, newest first', async () => {
    const carol = await api.createUser('carol');
    const made: MadeToken[] = [];
    for (const name of ['one', 'two', 'three']) {
      const { status, json } = await carol.post('/users/Carol/tokens', {
        name,
        scopes: ['read:user', 'write:user'],
      });
      expect(status).to.equal(201);
      made.push(json as MadeToken);
    }
    for (const token of made) {
      expect(token).to.have.all.keys('id', 'name', 'sha1', 'token_last_eight', 'scopes', 'created_at');
      expect(token.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(token.sha1).to.match(/^[0-9a-f]{40}$/);
      expect(token.sha1.slice(-8)).to.equal(token.token_last_eight);
      expect(token.scopes).to.deep.equal(['write:user']);
    }
    const listed = await carol.get('/users/carol/tokens');
    expect(listed.json).to.deep.equal(made.reverse().map((token) => ({ ...token, sha1: '' })));
    expect(listed.headers.get('x-total-count')).to.equal('3');
    const second = await carol.get('/users/carol/tokens?page=2&limit=2');
    expect((second.json as unknown[]).length).to.equal(1);
    expect((await carol.get('/users/carol/tokens?page=9')).json).to.deep.equal([]);
  });

  it('calls every write scope together all', async () => {
    const { json } = await alice.post('/users/alice/tokens', { name: 'everything', scopes: everyWrite });
    expect((json as { scopes: string[] }).scopes).to.deep.equal(['all']);
  });

  for (const [what, body, status] of [
    ['no name', { scopes: ['all'] }, 422],
    ['an empty name', { name: '', scopes: ['all'] }, 422],
    ['scopes that are no list', { name: 'x', scopes: 'all' }, 422],
    ['an unknown scope', { name: 'x', scopes: ['write:everything'] }, 400],
    ['no scopes', { name: 'x' }, 400],
    ['an empty list of scopes', { name: 'x', scopes: [] }, 400],
    ['a name of this user', { name: 'taken', scopes: ['all'] }, 400],
  ] as const)
    it(`is ${status} for ${what}`, async () => {
      await alice.post('/users/alice/tokens', { name: 'taken', scopes: ['all'] });
      expect((await alice.post('/users/alice/tokens', body)).status).to.equal(status);
    });

  it('ends a token at once when it is deleted, by id or by name, and frees the name', async () => {
    for (const path of [(id: number) => String(id), () => 'my%20token']) {
      const made = await alice.post('/users/alice/tokens', { name: 'my token', scopes: ['all'] });
      const { id, sha1 } = made.json as { id: number; sha1: string };
      const client = api.as({ token: sha1 });
      expect((await client.get('/user')).status).to.equal(200);
      const deleted = await alice.delete(`/users/alice/tokens/${path(id)}`);
      expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).to.deep.equal([
        204,
        '',
        null,
      ]);
      expect((await client.get('/user')).status).to.equal(401);
      expect((await client.get('/version')).status).to.equal(401);
      expect((await alice.delete(`/users/alice/tokens/${path(id)}`)).status).to.equal(404);
    }
  });

  it('makes none that would reach more repositories than it is asked to', async () => {
    const eve = await api.createUser('eve');
    const repositories = [{ owner: 'eve', name: 'engine' }];
    const refused = await eve.post('/users/eve/tokens', { name: 'one', scopes: ['all'], repositories });
    expect([refused.status, (refused.json as { message: string }).message]).to.deep.equal([
      422,
      '[Repositories]: tokens cannot be limited to repositories; limit what they may do by scopes',
    ]);
    expect((await eve.get('/users/eve/tokens')).json).to.deep.equal([]);
    for (const [name, none] of [
      ['empty', []],
      ['null', null],
    ] as const)
      expect(
        (await eve.post('/users/eve/tokens', { name, scopes: ['all'], repositories: none })).status,
      ).to.equal(201);
  });

  it('is 404 for a token of somebody else', async () => {
    const token = await api.createToken('bob', 'all');
    expect((await alice.delete(`/users/alice/tokens/${token.id}`)).status).to.equal(404);
    expect((await token.get('/user')).status).to.equal(200);
  });

  it('lets administrators manage the tokens of others', async () => {
    const token = await api.createToken('bob', 'read:user');
    expect((await api.admin.get('/users/bob/tokens')).status).to.equal(200);
    expect((await api.admin.delete(`/users/bob/tokens/${token.id}`)).status).to.equal(204);
    expect((await token.get('/user')).status).to.equal(401);
  });

  it('are not for organizations, as which nobody signs in', async () => {
    await api.admin.post('/orgs', { username: 'engines' });
    const body = { name: 'build', scopes: ['all'] };
    expect((await api.admin.post('/users/engines/tokens', body)).status).to.equal(422);
    expect((await api.admin.get('/users/engines/tokens')).json).to.deep.equal([]);
  });
});
