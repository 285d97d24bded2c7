import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemaOf } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import type { TestAnswer } from '../../support/client.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { filesBelow } from '../../support/files-below.js';
import { serve, startGitServer, type GitServer } from '../../support/git-server.js';
import { NOBODYS_PORT } from '../../support/nobodys-port.js';
import { until } from '../../support/process.js';

const MEGABYTE = 1024 * 1024;

describe('migrating a repository', () => {
  let api: TestApi;
  let server: GitServer;
  let ann: TestUser;
  let names = 0;

  before(async () => {
    const config = { allowLocalNetworks: true };
    [api, server] = await Promise.all([startApi({ config }), startGitServer()]);
    [ann] = await Promise.all([api.createUser('ann'), api.createUser('ben')]);
    await ann.post('/orgs', { username: 'acme' });
    await api.createUser('cleo');
  });
  after(() => Promise.all([api.stop(), server.stop()]));
  beforeEach(async () => {
    names += 1;
    server.intercept(() => false);
    await server.commit(source(), 'main', 'README.md', 'hello');
  });

  const source = () => `up/source-${names}.git`;
  const name = () => `copy-${names}`;
  const form = (fields = {}) => ({ clone_addr: `${server.url}/${source()}`, repo_name: name(), ...fields });
  const migrate = (fields = {}, client = ann) => client.post('/repos/migrate', form(fields));
  const body = ({ json }: TestAnswer) => json as Record<string, unknown>;

  /** What there is of repositories anywhere: on disk, in the read models, in ledgers and in the vault. */
  async function traces() {
    await api.shown();
    const schema = schemaOf(repositories);
    const count = async (statement: string) =>
      (await api.connections.db.rows<{ count: bigint }>(`select count(*) from ${statement}`))[0]?.count;
    const root = join(api.dataDir, 'repositories');
    const onDisk = (await readdir(root, { recursive: true })).filter((path) =>
      /^[0-9a-f]{2}\/\d+\.git$|staging\//.test(path),
    );
    const used = await Promise.all(
      ['ann', 'ben', 'cleo', 'acme'].map(
        async (user) => (await api.admin.get(`/admin/users/${user}/quota`)).json as { used: unknown },
      ),
    );
    return {
      onDisk: onDisk.filter((path) => path.split('/').length === 2),
      repositories: await count(`${schema}.repositories`),
      claims: await count(`${schema}.repository_claims`),
      refs: await count(`${schema}.refs`),
      credentials: await count('vault.mirrors'),
      used: used.map(({ used }) => used),
    };
  }

  /** The answer of a migration that must leave nothing behind. */
  async function refused(fields = {}, client = ann) {
    const before = await traces();
    const answer = await migrate(fields, client);
    expect(await traces()).deep.equals(before);
    return answer;
  }

  it('brings branches, tags and the default branch, and says where from', async () => {
    const hash = await server.commit(source(), 'trunk', 'a', 'first');
    await server.commit(source(), 'topic/x', 'b', 'second');
    await server.git(source(), 'tag', 'v1', hash);
    await server.git(source(), 'update-ref', 'refs/pull/1/head', hash);
    await server.git(source(), 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
    const answer = await migrate({ description: 'a copy', private: true });
    expect(answer.status, answer.text).equals(201);
    expect(body(answer)).deep.include({
      full_name: `ann/${name()}`,
      description: 'a copy',
      private: true,
      empty: false,
      mirror: false,
      mirror_interval: '',
      default_branch: 'trunk',
      original_url: `${server.url}/${source()}`,
      permissions: { admin: true, push: true, pull: true },
    });
    const rows = await api.connections.db.rows<{ name: string }>(
      `select name from ${schemaOf(repositories)}.refs where repository_id = ${Number(body(answer).id)} order by name`,
    );
    expect(rows.map(({ name }) => name)).deep.equals([
      'refs/heads/main',
      'refs/heads/topic/x',
      'refs/heads/trunk',
      'refs/tags/v1',
    ]);
    expect((await ann.get(`/repos/ann/${name()}`)).json).deep.equals(answer.json);
  });

  it('has a default branch that is there, whatever HEAD of the source names', async () => {
    const defaultBranch = async (repo: string) => {
      const answer = await migrate({ repo_name: repo });
      expect(answer.status, answer.text).equals(201);
      const branch = body(answer).default_branch as string;
      expect((await ann.get(`/repos/ann/${repo}/branches/${branch}`)).status).equals(200);
      return branch;
    };
    const hash = await server.commit(source(), 'trunk', 'a', 'first');
    await server.commit(source(), 'before', 'b', 'second');
    await server.git(source(), 'symbolic-ref', 'HEAD', 'refs/heads/gone');
    expect(await defaultBranch(`${name()}-gone`)).equals('main');
    await server.git(source(), 'update-ref', '-d', 'refs/heads/main');
    await server.git(source(), 'update-ref', '--no-deref', 'HEAD', hash);
    expect(await defaultBranch(`${name()}-detached`)).equals('before');
  });

  it('brings a repository without any commit', async () => {
    await server.git('up/nothing.git', 'rev-parse', '--git-dir');
    const answer = await migrate({ clone_addr: `${server.url}/up/nothing.git` });
    expect(answer.status, answer.text).equals(201);
    expect(body(answer)).deep.include({ empty: true, default_branch: 'main' });
  });

  it('counts what it measures against the owner', async () => {
    await server.commit(source(), 'main', 'noise', randomBytes(MEGABYTE));
    const before = await used('cleo');
    const answer = await migrate({ repo_owner: 'cleo' }, api.admin as TestUser);
    expect(answer.status, answer.text).equals(201);
    const grown = (await used('cleo')) - before;
    expect(grown).within(MEGABYTE, 1.2 * MEGABYTE);
    expect(body(answer).size).equals(Math.floor(grown / 1024));
  });

  const used = async (user: string) =>
    (
      (await api.admin.get(`/admin/users/${user}/quota`)).json as {
        used: { size: { repos: { public: number } } };
      }
    ).used.size.repos.public;

  describe('into whose account', () => {
    it('is for its owner, owners of an organization, and site administrators', async () => {
      const ben = api.as({ username: 'ben', password: 'correct horse' }) as TestUser;
      const admin = api.admin as TestUser;
      const calls = [
        () => migrate({}, api.anonymous as TestUser),
        () => migrate({ repo_owner: 'ben' }),
        () => migrate({ repo_owner: 'acme' }, ben),
        () => migrate({ repo_owner: 'ANN' }),
        () => migrate({ repo_owner: 'acme' }),
        () => migrate({ repo_owner: 'ben' }, admin),
        () => migrate({ repo_owner: 'ben' }, ben),
      ];
      const statuses: number[] = [];
      for (const call of calls) statuses.push((await call()).status);
      expect(statuses).deep.equals([401, 403, 403, 201, 201, 201, 409]);
    });

    it('is for no private one, with a token that reaches only what is public', async () => {
      const narrow = (await api.createToken('ann', 'public-only', 'all')) as unknown as TestUser;
      expect((await refused({ private: true }, narrow)).status).equals(403);
      expect((await migrate({}, narrow)).status).equals(201);
    });

    it('may be said by id, as older clients do', async () => {
      const acme = (await ann.get('/orgs/acme')).json as { id: number };
      expect(body(await migrate({ uid: acme.id })).full_name).equals(`acme/${name()}`);
      const { id } = (await ann.get('/users/ben')).json as { id: number };
      expect((await migrate({ uid: id })).status).equals(403);
      for (const uid of [999_999, Number.MAX_SAFE_INTEGER, -1])
        expect((await migrate({ uid })).status, String(uid)).equals(422);
      expect((await migrate({ uid: 0, repo_name: `${name()}-own` })).status).equals(201);
    });

    it('is 422 for one that there is not, or that the caller may not know of', async () => {
      await api.admin.post('/orgs', { username: 'hidden', visibility: 'private' });
      for (const owner of ['nobody', 'hidden', 'no/name', '..']) {
        const answer = await refused({ repo_owner: owner });
        expect(answer, owner).deep.include({ status: 422, message: '[RepoOwner]: no such account' });
      }
    });

    it('is 422 for a private user, and 403 for one who shares an organization', async () => {
      await api.createUser('shy', { visibility: 'private' });
      const team = { name: 'readers', permission: 'read', units: ['repo.code'] };
      const { id } = (await ann.post('/orgs/acme/teams', team)).json as { id: number };
      expect((await migrate({ repo_owner: 'shy' })).status).equals(422);
      expect((await api.admin.put(`/teams/${id}/members/shy`)).status).equals(204);
      expect((await migrate({ repo_owner: 'shy' })).status).equals(403);
    });
  });

  describe('refuses', () => {
    it('what is missing or no name', async () => {
      for (const fields of [
        { clone_addr: '' },
        { clone_addr: undefined },
        { repo_name: '' },
        { repo_name: 'a b' },
        { repo_name: 'x.git' },
      ])
        expect((await refused(fields)).status, JSON.stringify(fields)).equals(422);
      expect((await refused({ repo_name: 'a b' })).message).match(/^\[RepoName\]: /);
    });

    it('a name that is taken, in any letter case', async () => {
      expect((await migrate()).status).equals(201);
      const requests = server.requests.length;
      expect((await refused({ repo_name: name().toUpperCase() })).status).equals(409);
      expect(server.requests).lengthOf(requests);
    });

    it('addresses of other kinds, with a word that says so', async () => {
      for (const clone_addr of [
        'ssh://git@example.org/a',
        'git@example.org:a',
        'git://example.org/a',
        '/etc',
        'file:///etc',
        '--upload-pack=x',
        'ext::x',
      ]) {
        const answer = await refused({ clone_addr });
        expect(answer.status, clone_addr).equals(422);
        expect(answer.message, clone_addr).match(/^\[CloneAddr\]: /);
      }
    });

    it('what is not there, or asks for other credentials', async () => {
      expect((await refused({ clone_addr: `${server.url}/up/absent.git` })).message).include(
        'no such repository',
      );
      const { url, close } = await serve((_, response) => response.writeHead(401).end());
      const answer = await refused({ clone_addr: url, auth_username: 'me', auth_password: 'hunter-two' });
      await close();
      expect(answer).include({ status: 422 });
      expect(answer.message).include('refuses access');
      expect(answer.text).not.include('hunter-two');
      const nowhere = `http://127.0.0.1:${NOBODYS_PORT}/a`;
      expect((await refused({ clone_addr: nowhere })).message).include('cannot be reached');
    });

    it('an account without room for anything, before it says a word about the address', async () => {
      await limit('ben', 'nothing at all', 0);
      const ben = api.as({ username: 'ben', password: 'correct horse' }) as TestUser;
      const requests = server.requests.length;
      const answer = await refused({ clone_addr: 'ssh://x/y' }, ben);
      expect(answer.status).equals(413);
      expect(body(answer)).include({ username: 'ben' });
      expect((await migrate({ repo_owner: 'ben' })).status).equals(403);
      const often = { mirror: true, mirror_interval: '1m' };
      expect((await refused(often, ben)).message).match(/^\[MirrorInterval\]: /);
      expect(server.requests).lengthOf(requests);
    });

    it('what does not fit into the quota, while it arrives', async () => {
      const dan = await api.createUser('dan');
      await limit('dan', 'one megabyte', MEGABYTE);
      await server.commit(source(), 'main', 'noise', randomBytes(4 * MEGABYTE));
      const answer = await refused({}, dan);
      expect(answer.status, answer.text).equals(413);
      expect(body(answer)).include({ username: 'dan' });
      const [told = '{}'] = api
        .logged()
        .split('\n')
        .filter((line) => line.includes('could not be read'))
        .slice(-1);
      expect((JSON.parse(told) as { bytes: number }).bytes).within(0.8 * MEGABYTE, 1.2 * MEGABYTE);
      expect(JSON.parse(told)).include({ requestId: answer.headers.get('x-request-id') });
      await server.commit('up/small.git', 'main', 'noise', randomBytes(0.8 * MEGABYTE));
      expect((await migrate({ clone_addr: `${server.url}/up/small.git` }, dan)).status).equals(201);
      expect(
        (await refused({ clone_addr: `${server.url}/up/small.git`, repo_name: 'second' }, dan)).status,
      ).equals(413);
    });

    const limit = async (user: string, rule: string, bytes: number) => {
      const group = { name: rule, rules: [{ name: rule, limit: bytes, subjects: ['size:repos:all'] }] };
      expect((await api.admin.post('/admin/quota/groups', group)).status).equals(201);
      expect(
        (await api.admin.put(`/admin/quota/groups/${encodeURIComponent(rule)}/users/${user}`)).status,
      ).equals(204);
    };

    it('what breaks off in the middle', async () => {
      await server.commit(source(), 'main', 'noise', randomBytes(MEGABYTE));
      server.intercept((incoming, response) => {
        const write = response.write.bind(response);
        let left = 300_000;
        response.write = ((chunk: Buffer) => {
          left -= incoming.method === 'POST' ? chunk.length : 0;
          if (left > 0) return write(chunk);
          response.destroy();
          return false;
        }) as typeof response.write;
        return false;
      });
      expect((await refused()).status).equals(422);
    });

    it('history that is cut off', async () => {
      const tip = await server.commit(source(), 'main', 'x', 'y');
      await server.cutOff(source(), tip);
      const answer = await refused();
      expect(answer.status, answer.text).equals(422);
    });

    it('objects that are not sound', async () => {
      const blob = await server.commit(source(), 'main', 'x', 'y');
      await server.git(source(), 'config', 'core.bare', 'true');
      expect(blob).lengthOf(40);
      server.intercept((incoming, response) => {
        const write = response.write.bind(response);
        response.write = ((chunk: Buffer) => {
          const at = incoming.method === 'POST' ? chunk.indexOf('PACK') : -1;
          if (at >= 0) chunk[at + 14] = (chunk[at + 14] ?? 0) ^ 0xff;
          return write(chunk);
        }) as typeof response.write;
        return false;
      });
      const answer = await refused();
      expect(answer.status, answer.text).equals(422);
    });
  });

  describe('with limits', () => {
    it('refuses what is switched off: all of it, or new mirrors', async () => {
      const copies = { forks: true, migrations: true, mirrors: false };
      const statuses = [];
      for (const config of [{ copies }, { copies: { ...copies, migrations: false } }]) {
        const strict = await api.another({ config: { allowLocalNetworks: true, ...config } });
        const own = strict.as({ username: 'ann', password: PASSWORD });
        for (const mirror of [true, false])
          statuses.push((await own.post('/repos/migrate', form({ mirror }))).status);
        await strict.stop();
      }
      expect(statuses).to.deep.equal([403, 201, 403, 403]);
    });

    it('ends what takes too long', async () => {
      const hasty = await api.another({ config: limited({ timeoutSeconds: 1, maxBytes: 10n ** 9n }) });
      server.intercept(() => true);
      const before = await traces();
      const answer = await hasty
        .as({ username: 'ann', password: 'correct horse' })
        .post('/repos/migrate', form());
      expect(answer).include({ status: 422, message: '[CloneAddr]: it took longer than 1 s' });
      expect(await traces()).deep.equals(before);
    });

    it('ends what is too large', async () => {
      await server.commit(source(), 'main', 'noise', randomBytes(MEGABYTE));
      const narrow = await api.another({ config: limited({ timeoutSeconds: 600, maxBytes: 500_000n }) });
      const before = await traces();
      const answer = await narrow
        .as({ username: 'ann', password: 'correct horse' })
        .post('/repos/migrate', form());
      expect(answer.status).equals(422);
      expect(answer.message).include('500000 bytes');
      expect(await traces()).deep.equals(before);
    });

    it('does not keep a server from stopping', async () => {
      const stopping = await api.another();
      let asked: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => (asked = resolve));
      server.intercept(() => {
        asked();
        return true;
      });
      const answer = stopping
        .as({ username: 'ann', password: 'correct horse' })
        .post('/repos/migrate', form());
      await begun;
      await stopping.restart();
      expect((await answer).status).equals(503);
    });

    const limited = (migrations: { timeoutSeconds: number; maxBytes: bigint }) => ({
      allowLocalNetworks: true,
      migrations,
    });
  });

  describe('on a server that keeps to the Internet', () => {
    it('refuses local addresses, and redirects to them', async () => {
      const strict = await api.another({ config: { allowLocalNetworks: false } });
      const client = strict.as({ username: 'ann', password: 'correct horse' });
      const before = await traces();
      const requests = server.requests.length;
      for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '2130706433', '[::1]', '169.254.169.254']) {
        const clone_addr = server.url.replace('127.0.0.1', host);
        const answer = await client.post('/repos/migrate', form({ clone_addr }));
        expect(answer.status, host).equals(422);
        expect(answer.message, host).include('may not be reached');
      }
      expect(server.requests).lengthOf(requests);
      expect(await traces()).deep.equals(before);
    });
  });

  it('leaves places to others, into however many organizations somebody migrates from slow servers', async () => {
    const held: ServerResponse[] = [];
    let isOver = false;
    const refuse = (response: ServerResponse) => response.writeHead(404).end();
    const asked = () => server.requests.slice(before).map(({ line }) => line.split('/')[1]);
    const before = server.requests.length;
    server.intercept((_, response) => {
      if (isOver) refuse(response);
      else held.push(response);
      return true;
    });
    const from = (place: string, fields: object, client: Pick<TestUser, 'post'> = ann) =>
      client.post('/repos/migrate', form({ clone_addr: `${server.url}/${place}/a`, ...fields }));
    const answers = [1, 2, 3, 4].flatMap((nth) => [
      from('ann', { repo_name: `slow-${nth}` }),
      from('ann', { repo_name: `slow-${nth}`, repo_owner: 'acme' }),
    ]);
    await until(() => asked().length >= 4);
    answers.push(from('ben', { repo_name: 'slow' }, api.as({ username: 'ben', password: PASSWORD })));
    await until(() => asked().includes('ben'));
    expect(asked().filter((place) => place === 'ann')).lengthOf(4);
    isOver = true;
    held.forEach(refuse);
    for (const { status } of await Promise.all(answers)) expect(status).equals(422);
  });

  it('keeps the name while it lasts, and no longer', async () => {
    let asked: () => void = () => undefined;
    let go: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { url, close } = await serve((_, response) => {
      asked();
      void gate.then(() => response.writeHead(503).end());
    });
    const first = migrate({ clone_addr: url });
    await begun;
    // Waits for as long as others have patience with a claim, and does not take it from one that is at work.
    expect((await migrate()).status).equals(409);
    go();
    expect((await first).status).equals(422);
    await close();
    expect((await migrate()).status).equals(201);
  });

  it('shows credentials to the remote and nobody else', async () => {
    const secret = `s3cret-${randomBytes(6).toString('hex')}`;
    const own = await startGitServer();
    own.protect('me', secret);
    await own.commit('a.git', 'main', 'x', 'y');
    const [, rest = ''] = own.url.split('//');
    const inside = `http://me:${secret}@${rest}/a.git`;
    const answers = [
      await migrate({ clone_addr: inside }),
      await migrate({
        clone_addr: `${own.url}/a.git`,
        auth_username: 'me',
        auth_password: secret,
        repo_name: `${name()}-b`,
      }),
      await migrate({
        clone_addr: `${own.url}/a.git`,
        auth_username: 'me',
        auth_token: secret,
        repo_name: `${name()}-c`,
        mirror: true,
      }),
    ];
    expect(answers.map(({ status }) => status)).deep.equals([201, 201, 201]);
    expect(answers.map((answer) => body(answer).original_url)).deep.equals(Array(3).fill(`${own.url}/a.git`));
    const failed = await migrate({
      clone_addr: inside.replace('a.git', 'absent.git'),
      repo_name: `${name()}-d`,
    });
    await own.stop();
    const events = await api.connections.db.rows<{ all: string }>(
      `select string_agg(data::text || metadata::text, '') as all from events.log`,
    );
    const files = await contents(join(api.dataDir, 'repositories'));
    for (const text of [...answers, failed]
      .map(({ text }) => text)
      .concat(JSON.stringify(events), api.logged(), files))
      expect(text)
        .not.include(secret)
        .not.include(Buffer.from(`me:${secret}`).toString('base64'));
  });
});

async function contents(folder: string): Promise<string> {
  const files = await filesBelow(folder);
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('');
}
