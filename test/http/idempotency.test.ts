import { expect } from 'chai';
import { RepositoryLocks } from '../../src/commands/repositories/repository-locks.js';
import { DomainError } from '../../src/domain/errors.js';
import { Answers, type StoredAnswer } from '../../src/vault/answers.js';
import { JSON_TYPE } from '../../src/http/answers/answer.js';
import { once } from '../../src/http/idempotency.js';
import { startApi, type TestApi } from '../support/api.js';
import { ahead } from '../support/clock.js';
import { until } from '../support/process.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('Idempotency-Key', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  let keys = 0;
  const newKey = () => ({ 'idempotency-key': `key ${++keys}`.replace(' ', '-') });
  const rule = (name: string, limit = 1) => ({ name, limit, subjects: [] });
  const tokenOf = (name: string) => ({ name, scopes: ['all'] });

  it('gives a repeat of the request the first answer, body and all', async () => {
    const key = newKey();
    const first = await api.admin.post('/users/root/tokens', tokenOf('first'), key);
    const again = await api.admin.post('/users/root/tokens', tokenOf('first'), key);
    expect(first.status).to.equal(201);
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    expect(again.headers.get('x-tallyforge-position')).to.equal(first.headers.get('x-tallyforge-position'));
    expect(again.headers.get('content-type')).to.equal('application/json;charset=utf-8');
    expect(((await api.admin.get('/users/root/tokens')).json as unknown[]).length).to.equal(1);
  });

  it('gives a large answer again without keeping it, and does the work once', async () => {
    const paul = await api.createUser('paul');
    await paul.post('/user/repos', { name: 'large', auto_init: true });
    const at = (name: string) => `/repos/paul/large/contents/${name}`;
    const content = Buffer.alloc(1024 * 1024, 'large').toString('base64');
    const add = (key: Readonly<Record<string, string>>) => paul.post(at('one'), { content }, key);
    const addKey = newKey();
    const added = await add(addKey);
    expect(added.status, added.message).to.equal(201);
    const { sha } = (added.json as { content: { sha: string } }).content;
    const move = (key: Readonly<Record<string, string>>) =>
      paul.put(at('two'), { sha, from_path: 'one' }, key);
    const moveKey = newKey();
    const moved = await move(moveKey);
    expect(moved.status, moved.message).to.equal(200);
    await paul.delete(at('two'), { sha });
    for (const [repeat, first] of [
      [await add(addKey), added],
      [await move(moveKey), moved],
    ] as const)
      expect([repeat.status, repeat.text === first.text]).to.deep.equal([first.status, true]);
    expect((await paul.post(at('three'), { content: '' }, addKey)).status).to.equal(422);
    expect((await paul.get('/repos/paul/large/commits')).json).to.have.length(4);
    const [largest] = await api.connections.db.rows(
      'select max(length(sealed)) < 524288 as is_small from vault.answers',
    );
    expect(largest).to.deep.equal({ is_small: true });
  });

  it('is remembered across a restart', async () => {
    const key = newKey();
    const first = await api.admin.post('/admin/quota/rules', rule('restarted'), key);
    await api.restart();
    const again = await api.admin.post('/admin/quota/rules', rule('restarted'), key);
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
  });

  it('repeats an empty answer after the thing is gone', async () => {
    const key = newKey();
    await api.admin.post('/admin/quota/rules', rule('gone'));
    for (let time = 0; time < 2; time++) {
      const { status, text, headers } = await api.admin.delete('/admin/quota/rules/gone', undefined, key);
      expect([status, text, headers.get('content-type')]).to.deep.equal([204, '', null]);
    }
    expect((await api.admin.delete('/admin/quota/rules/gone')).status).to.equal(404);
  });

  describe('where the lock is lost', () => {
    const original = Object.getOwnPropertyDescriptor(Answers.prototype, 'store');
    const store = original?.value as Answers['store'];
    const whenStored = (instead: Answers['store']) => {
      Answers.prototype.store = function (...kept) {
        Answers.prototype.store = store;
        return instead.apply(this, kept);
      };
    };
    const loseLock = async () => {
      await api.connections.db.rows(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`,
      );
      const locked = () => api.admin.patch('/user/settings', { full_name: 'Root' }, newKey());
      await until(async () => (await locked()).status === 200);
    };

    it('carries out nothing, and leaves what another process has answered meanwhile', async () => {
      const headers = newKey();
      const create = () => api.admin.post('/admin/quota/rules', rule('unlocked'), headers);
      whenStored(async function (this: Answers, keyHash, kept, holder) {
        await loseLock();
        const headers = { 'Content-Type': JSON_TYPE };
        const body = JSON.stringify(rule('unlocked', 2));
        await store.call(this, keyHash, { bodyHash: kept.bodyHash, status: 201, headers, body });
        await store.call(this, keyHash, kept, holder);
      });
      expect((await create()).status).to.equal(503);
      expect((await api.admin.get('/admin/quota/rules/unlocked')).status).to.equal(404);
      const again = await create();
      expect([again.status, again.json]).to.deep.equal([201, rule('unlocked', 2)]);
    });

    it('carries out once what another process knows of by then', async () => {
      const headers = newKey();
      const create = () => api.admin.post('/admin/quota/rules', rule('noted'), headers);
      whenStored(async function (this: Answers, ...kept) {
        await store.apply(this, kept);
        await loseLock();
      });
      expect((await create()).status).to.equal(503);
      const again = await create();
      expect([again.status, again.json]).to.deep.equal([201, rule('noted')]);
      expect((await create()).text).to.equal(again.text);
    });
  });

  it('repeats refusals too', async () => {
    const key = newKey();
    await api.admin.post('/admin/quota/rules', rule('taken'));
    expect((await api.admin.post('/admin/quota/rules', rule('taken'), key)).status).to.equal(409);
    await api.admin.delete('/admin/quota/rules/taken');
    expect((await api.admin.post('/admin/quota/rules', rule('taken'), key)).status).to.equal(409);
    expect((await api.admin.post('/admin/quota/rules', rule('taken'))).status).to.equal(201);
  });

  it('keeps no answer that passes', async () => {
    const headers = newKey();
    const state = { caller: { accountId: 1 }, params: {}, rawBody: Promise.resolve(Buffer.alloc(0)) };
    const get = () => headers['idempotency-key'];
    const ctx = { method: 'POST', url: '/things', state, get };
    const { vault, db } = api.connections;
    const services = { vault, db, config: { maxBodyBytes: 1 } };
    const answered = async (status: number) => {
      const { answer } = await once(ctx as never, services as never, { id: 'createThing' });
      return (await answer(() => Promise.resolve({ status, headers: {} }))).status;
    };
    const statuses: number[] = [];
    for (const status of [429, 500, 503, 200, 422]) statuses.push(await answered(status));
    expect(statuses).to.deep.equal([429, 500, 503, 200, 200]);
  });

  it('keeps no refusal of a repository that was busy', async () => {
    const original = Object.getOwnPropertyDescriptor(RepositoryLocks.prototype, 'run') ?? {};
    await api.admin.post('/user/repos', { name: 'busy' });
    const key = newKey();
    const remove = () => api.admin.delete('/repos/root/busy', undefined, key);
    RepositoryLocks.prototype.run = () =>
      Promise.reject(new DomainError('busy', 'repository.busy', 'the repository is busy'));
    try {
      const { status, headers } = await remove();
      expect([status, headers.get('retry-after')]).to.deep.equal([423, '1']);
    } finally {
      Object.defineProperty(RepositoryLocks.prototype, 'run', original);
    }
    for (let time = 0; time < 2; time++) expect((await remove()).status).to.equal(204);
  });

  it('is ignored where nothing is changed', async () => {
    const kept = async () => (await api.connections.db.rows('select key_hash from vault.answers')).length;
    const before = await kept();
    const key = newKey();
    for (const text of ['one', 'two']) {
      const { status, text: html } = await api.admin.post('/markdown', { text }, key);
      expect([status, html]).to.deep.equal([200, `<p>${text}</p>\n`]);
      const raw = await api.admin.post('/markdown/raw', text, { 'content-type': 'text/plain', ...key });
      expect([raw.status, raw.text]).to.deep.equal([200, html]);
      const group = { name: text, rules: [] };
      const rehearsal = await api.admin.post('/admin/quota/rehearsals', { groups: [group] }, key);
      expect(rehearsal.status, rehearsal.message).to.equal(200);
    }
    expect(await kept()).to.equal(before);
  });

  it('is as good as new after a day', async () => {
    const key = newKey();
    const daily = () => api.admin.patch('/admin/quota/rules/daily', { limit: 2 }, key);
    await api.admin.post('/admin/quota/rules', rule('daily'));
    expect((await daily()).status).to.equal(200);
    await api.admin.patch('/admin/quota/rules/daily', { limit: 3 });
    await api.connections.db.rows(`update vault.answers set stored_at = stored_at - interval '24 hours'`);
    await ahead(DAY_MS, async () => {
      const again = await daily();
      expect([again.status, again.json]).to.deep.equal([200, rule('daily', 2)]);
      expect((await daily()).text, 'once more').to.equal(again.text);
    });
  });

  it('is 422 for another body or another path', async () => {
    const key = newKey();
    await api.admin.post('/admin/quota/rules', rule('one body'), key);
    const other = await api.admin.post('/admin/quota/rules', rule('another body'), key);
    expect([other.status, other.message]).to.deep.equal([
      422,
      '[IdempotencyKey]: was used for another request',
    ]);
    const second = newKey();
    expect((await api.admin.patch('/admin/quota/rules/one%20body', { limit: 2 }, second)).status).to.equal(
      200,
    );
    expect((await api.admin.patch('/admin/quota/rules/another', { limit: 2 }, second)).status).to.equal(422);
  });

  it('goes along where the path leads on to another', async () => {
    const key = newKey();
    await api.createUser('before');
    await api.admin.post('/admin/users/before/rename', { new_username: 'after' });
    const groups = { groups: [] };
    expect((await api.admin.post('/admin/users/before/quota/groups', groups, key)).status).to.equal(307);
    expect((await api.admin.post('/admin/users/after/quota/groups', groups, key)).status).to.equal(204);
  });

  it('belongs to an account and an operation', async () => {
    const key = newKey();
    const alice = await api.createUser('alice');
    const bob = await api.createUser('bob');
    const [one, other] = [
      await alice.post('/users/alice/tokens', tokenOf('mine'), key),
      await bob.post('/users/bob/tokens', tokenOf('mine'), key),
    ];
    expect([one.status, other.status]).to.deep.equal([201, 201]);
    expect(one.text).not.to.equal(other.text);
    expect((await api.admin.post('/admin/quota/rules', rule('by key'), key)).status).to.equal(201);
    expect((await api.admin.post('/admin/quota/groups', { name: 'by key' }, key)).status).to.equal(201);
  });

  it('is the same at both spellings of a path', async () => {
    const una = await api.createUser('una');
    await una.post('/user/repos', { name: 'issue' });
    await una.post('/repos/una/issue/issues', { title: 'one' });
    await una.post('/repos/una/issue/labels', { name: 'bug', color: 'fff' });
    const [plural, singular] = ['/repos/una/issue/issues/1', '/repos/una/issue/issue/1'];
    for (const [what, body] of [
      ['comments', { body: 'me too' }],
      ['labels', { labels: ['bug'] }],
    ] as const)
      for (const [first, then] of [
        [plural, singular],
        [singular, plural],
      ]) {
        const key = newKey();
        const { status, text } = await una.post(`${first}/${what}`, body, key);
        expect(status, text).to.be.within(200, 201);
        const again = await una.post(`${then}/${what}`, body, key);
        expect([again.status, again.text]).to.deep.equal([status, text]);
        expect((await una.post(`${then}/${what}?x`, body, key)).status).to.equal(422);
      }
    expect((await una.get(`${plural}/comments`)).json).to.have.length(2);
  });

  it('gives a token no answer that a password or a token with other scopes was given', async () => {
    const key = newKey();
    const ida = await api.createUser('ida');
    const [wide, narrow, alike] = [
      await api.createToken('ida', 'write:user', 'write:organization'),
      await api.createToken('ida', 'public-only', 'write:user', 'write:organization'),
      await api.createToken('ida', 'write:organization', 'write:user'),
    ];
    expect((await ida.post('/users/ida/tokens', tokenOf('secret'), key)).status).to.equal(201);
    const refused = await wide.post('/users/ida/tokens', tokenOf('secret'), key);
    expect([refused.status, refused.message]).to.deep.equal([
      422,
      '[IdempotencyKey]: was used for another request',
    ]);
    const found = (client: typeof wide) =>
      client.post('/orgs', { username: 'idas', visibility: 'private' }, key).then(({ status }) => status);
    expect([await found(wide), await found(narrow), await found(alike)]).to.deep.equal([201, 422, 201]);
  });

  it('does the work once for many at the same time, in one process and in two', async () => {
    const other = await api.another();
    for (const clients of [[api.admin], [api.admin, other.admin]]) {
      const key = newKey();
      const name = `at once ${clients.length}`;
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (clients[index % clients.length] ?? api.admin).post('/users/root/tokens', tokenOf(name), key),
        ),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(answers[0]?.status).to.equal(201);
    }
  });

  for (const key of ['x'.repeat(256), 'two words', 'ümlaut'])
    it(`is 422 for the key ${key.slice(0, 12)}`, async () => {
      const { status, text } = await api.admin.post('/admin/quota/rules', rule('refused'), {
        'idempotency-key': encoded(key),
      });
      expect(status).to.equal(422);
      expect(text).to.include('[IdempotencyKey]: must be 1 to 255 visible ASCII characters');
    });

  it('has answers kept that say whose they are, so that they go with the person', async () => {
    const adams = await api.createUser('adams');
    await adams.patch('/user/settings', { full_name: 'Alice Adams' }, newKey());
    const of: (number | undefined)[] = [];
    const tell = ({ accountId, body }: StoredAnswer) => {
      if (body.includes('Alice Adams')) of.push(accountId);
      return false;
    };
    await api.connections.vault.answers.forget(tell, new AbortController().signal);
    expect(of).to.deep.equal([adams.id]);
  });

  it('has answers kept that say whom their path names, because addresses in them have that name', async () => {
    const eve = await api.createUser('eve');
    await eve.post('/user/repos', { name: 'project' });
    const label = { name: 'bug', color: '#fff' };
    const { text } = await api.admin.post('/repos/Eve/project/labels', label, newKey());
    expect(text).to.contain('/repos/eve/project/');
    const of: (number | undefined)[] = [];
    const tell = ({ namedId, body }: StoredAnswer) => {
      if (body === text) of.push(namedId);
      return false;
    };
    await api.connections.vault.answers.forget(tell, new AbortController().signal);
    expect(of).to.deep.equal([eve.id]);
  });

  it('means nothing to who may not call, nor to a read', async () => {
    const key = newKey();
    expect((await api.anonymous.post('/admin/quota/rules', rule('nobody'), key)).status).to.equal(401);
    expect((await api.admin.post('/admin/quota/rules', rule('nobody'), key)).status).to.equal(201);
    expect((await api.admin.get('/admin/quota/rules/nobody', key)).status).to.equal(200);
  });

  it('is not kept for who calls without a name', async () => {
    const key = newKey();
    for (const Text of ['one', 'another']) {
      const { status, text } = await api.anonymous.post('/markdown', { Text }, key);
      expect([status, text.trim()]).to.deep.equal([200, `<p>${Text}</p>`]);
    }
  });
});

/** Bytes that fetch lets pass in a header. */
const encoded = (text: string) => Buffer.from(text, 'latin1').toString('latin1');
