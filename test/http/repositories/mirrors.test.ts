import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { join } from 'node:path';
import { schemaOf } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import { listDueMirrors } from '../../../src/queries/repositories/mirrors.js';
import { systemCommand } from '../../../src/commands/context.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Database } from '../../../src/database/database.js';
import { streamOf } from '../../../src/domain/decider.js';
import { RepositoryLanguages } from '../../../src/domain/repositories/languages.js';
import { Repository } from '../../../src/domain/repositories/repository.js';
import { openGit } from '../../../src/git/open-git.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { beforeTheLock } from '../../support/before-the-lock.js';
import { basic, type TestAnswer } from '../../support/client.js';
import { startGitServer, type GitServer } from '../../support/git-server.js';

const MEGABYTE = 1024 * 1024;
const HOUR = 3_600_000;

describe('mirrors', () => {
  let api: TestApi;
  let server: GitServer;
  let ann: TestUser;
  let ben: TestUser;
  let mirrors = 0;

  before(async () => {
    const config = { allowLocalNetworks: true };
    [api, server] = await Promise.all([startApi({ config }), startGitServer()]);
    [ann, ben] = await Promise.all([api.createUser('ann'), api.createUser('ben')]);
  });
  after(() => Promise.all([api.stop(), server.stop()]));

  const body = ({ json }: TestAnswer) => json as Record<string, unknown>;

  /** A mirror of a source with one commit. */
  async function mirrored(fields = {}, client = ann) {
    mirrors += 1;
    const [source, name] = [`up/source-${mirrors}.git`, `mirror-${mirrors}`];
    await server.commit(source, 'main', 'README.md', 'hello');
    const form = { clone_addr: `${server.url}/${source}`, repo_name: name, mirror: true, ...fields };
    const answer = await client.post('/repos/migrate', form);
    expect(answer.status, answer.text).equals(201);
    const repository = body(answer) as { id: number; full_name: string };
    const path = `/repos/${repository.full_name}`;
    return { source, id: repository.id, path, answer, sync: (by = client) => by.post(`${path}/mirror-sync`) };
  }

  async function refs(id: number) {
    await api.shown(); // an error does not wait for what it records
    const rows = await api.connections.db.rows<{ name: string; hash: string }>(
      `select name, hash from ${schemaOf(repositories)}.refs where repository_id = ${id}`,
    );
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  }

  it('say that they are, and how often they are pulled', async () => {
    expect(body((await mirrored()).answer)).deep.include({ mirror: true, mirror_interval: '8h0m0s' });
    expect(body((await mirrored({ mirror_interval: '1h30m' })).answer).mirror_interval).equals('1h30m0s');
    expect(body((await mirrored({ mirror_interval: '0.57h' })).answer).mirror_interval).equals('34m12s');
    for (const mirror_interval of ['9m', 'often', '-1h', '1d', '2562048h', '999999999h999999999h']) {
      const form = {
        clone_addr: `${server.url}/up/source-1.git`,
        repo_name: 'x',
        mirror: true,
        mirror_interval,
      };
      const { status, message } = await ann.post('/repos/migrate', form);
      expect(status, mirror_interval).equals(422);
      expect(message).include('[MirrorInterval]');
    }
  });

  it('are pulled as often as their administrators say', async () => {
    const { path } = await mirrored({ mirror_interval: '1h30m' });
    const ask = async (mirror_interval: string | null) => {
      const answer = await ann.patch(path, { mirror_interval });
      return answer.status === 200 ? body(answer).mirror_interval : answer.status;
    };
    for (const unsaid of ['', null]) expect(await ask(unsaid)).equals('1h30m0s');
    for (const wrong of ['9m', 'often']) expect(await ask(wrong), wrong).equals(422);
    expect(await ask('12h')).equals('12h0m0s');
    expect(await ask('0')).equals('0s');
  });

  it('follow their source: what moved, what is new, what is gone', async () => {
    const { source, id, sync } = await mirrored();
    await server.commit(source, 'gone', 'x', 'y');
    expect((await sync()).status).equals(200);
    expect(Object.keys(await refs(id)).sort()).deep.equals(['refs/heads/gone', 'refs/heads/main']);
    const moved = await server.commit(source, 'main', 'a', 'more');
    await server.git(source, 'update-ref', '-d', 'refs/heads/gone');
    const beneath = await server.commit(source, 'gone/beneath', 'b', 'other');
    await server.git(source, 'tag', 'v1', moved);
    const answer = await sync();
    expect([answer.status, answer.text]).deep.equals([200, '']);
    const told = api
      .logged()
      .split('\n')
      .findLast((line) => line.includes('a remote was read'));
    expect(JSON.parse(told ?? '{}')).include({ requestId: answer.headers.get('x-request-id') });
    expect(await refs(id)).deep.equals({
      'refs/heads/main': moved,
      'refs/heads/gone/beneath': beneath,
      'refs/tags/v1': moved,
    });
  });

  it('keep what is gone where they are told to, and follow in all that this does not stand in the way of', async () => {
    const { source, id, path, sync } = await mirrored();
    const kept = await server.commit(source, 'kept', 'x', 'y');
    expect((await sync()).status).equals(200);
    expect((await ann.patch(path, { enable_prune: false })).status).equals(200);
    await server.git(source, 'update-ref', '-d', 'refs/heads/kept');
    await server.git(source, 'update-ref', 'refs/heads/kept/beneath', kept);
    const moved = await server.commit(source, 'main', 'a', 'more');
    const { status, message } = await sync();
    expect([status, message]).deep.equals([
      422,
      'not all could follow: kept/beneath cannot stand beside kept',
    ]);
    const there = { 'refs/heads/main': moved, 'refs/heads/kept': kept };
    expect(await refs(id)).deep.equals(there);
    expect((await ann.patch(path, { enable_prune: true })).status).equals(200);
    expect((await sync()).status).equals(200);
    expect(await refs(id)).deep.equals({ 'refs/heads/main': moved, 'refs/heads/kept/beneath': kept });
  });

  it('leave out what nobody could push here, such as names that are no UTF-8', async () => {
    const { source, sync } = await mirrored();
    const hash = await server.git(source, 'rev-parse', 'main');
    const folder = await server.git(source, 'rev-parse', '--absolute-git-dir');
    const latin1 = Buffer.from(`${folder}/refs/heads/caf\xe9`, 'latin1');
    await writeFile(latin1, `${hash}\n`);
    await server.git(source, 'update-ref', 'refs/heads/-x', hash);
    const form = { clone_addr: `${server.url}/${source}`, repo_name: 'odd-names', mirror: true };
    const { id } = body(await ann.post('/repos/migrate', form)) as { id: number };
    const only = { 'refs/heads/main': hash };
    expect(await refs(id)).deep.equals(only);
    const disk = await openGit({ folder: join(api.dataDir, 'repositories') });
    expect(Object.fromEntries(await disk.refs(id))).deep.equals(only);
    expect((await ann.post('/repos/ann/odd-names/mirror-sync')).status).equals(200);
    expect(await refs(id)).deep.equals(only);
    expect((await sync()).status).equals(200);
  });

  it('stay as they are where the history of their source was cut off', async () => {
    const { source, id, sync } = await mirrored();
    const before = await refs(id);
    await server.git(source, 'update-ref', '-d', 'refs/heads/main');
    await server.commit(source, 'main', 'a', 'anew');
    const tip = await server.commit(source, 'main', 'b', 'anew');
    await server.cutOff(source, tip);
    expect((await sync()).status).equals(422);
    expect(await refs(id)).deep.equals(before);
  });

  it('take what was rewritten, and the default branch of the source where theirs is gone', async () => {
    const { source, id, path, sync } = await mirrored();
    await server.git(source, 'update-ref', '-d', 'refs/heads/main');
    const trunk = await server.commit(source, 'trunk', 'a', 'anew');
    await server.git(source, 'update-ref', 'refs/heads/another', trunk);
    await server.git(source, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
    expect((await sync()).status).equals(200);
    expect(await refs(id)).deep.equals({ 'refs/heads/another': trunk, 'refs/heads/trunk': trunk });
    expect(body(await ann.get(path)).default_branch).equals('trunk');
  });

  it('take another default branch where theirs is gone and the HEAD of the source leads nowhere', async () => {
    const { source, path, sync } = await mirrored();
    const trunk = await server.commit(source, 'trunk', 'x', 'y');
    await server.git(source, 'update-ref', 'refs/heads/another', trunk);
    expect((await sync()).status).equals(200);
    await server.git(source, 'update-ref', '-d', 'refs/heads/main');
    expect((await sync()).status).equals(200);
    expect(body(await ann.get(path)).default_branch).equals('another');
    expect((await ann.get(`${path}/contents`)).status).equals(200);
  });

  it('are empty while their source is', async () => {
    const { source, id, path, sync } = await mirrored();
    const commit = (await refs(id))['refs/heads/main'] ?? '';
    const context = systemCommand();
    const data = { commit, languages: { Go: 5 }, at: context.at };
    const command = { type: 'RecordLanguages', data } as const;
    await new CommandHandler({ log: api.connections.log }).handle(RepositoryLanguages, id, command, context);
    await api.shown();
    const stands = async () => {
      const { empty, default_branch, language } = body(await ann.get(path));
      const answers = ['contents', 'languages', 'commits'].map((what) => ann.get(`${path}/${what}`));
      return [empty, default_branch, language, (await Promise.all(answers)).map(({ status }) => status)];
    };
    expect(await stands()).deep.equals([false, 'main', 'Go', [200, 200, 200]]);
    await server.git(source, 'update-ref', '-d', 'refs/heads/main');
    expect((await sync()).status).equals(200);
    expect(await stands()).deep.equals([true, 'main', '', [200, 200, 409]]);
    const fork = body(await ben.post(`${path}/forks`)) as { id: number };
    expect(await api.connections.log.readStream(streamOf(RepositoryLanguages, fork.id))).deep.equals([]);
    await server.commit(source, 'trunk', 'x', 'y');
    expect((await sync()).status).equals(200);
    expect(await stands()).deep.equals([false, 'trunk', 'Go', [200, 200, 200]]);
  });

  it('keep the default branch that is chosen while they are pulled', async () => {
    const { source, id, path, sync } = await mirrored();
    for (const branch of ['trunk', 'other']) await server.commit(source, branch, 'a', 'anew');
    expect((await sync()).status).equals(200);
    await server.git(source, 'update-ref', '-d', 'refs/heads/main');
    await server.git(source, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
    const other = (await api.another()).as({ username: 'ann', password: PASSWORD });
    const commands = new CommandHandler({ log: api.connections.log });
    const logged = async () => (await commands.load(Repository, id)).state.settings.defaultBranch;
    const choose = async () =>
      expect((await other.patch(path, { default_branch: 'other' })).status).equals(200);
    // The lock is taken for what is gone, for what is new, and then for the default branch.
    expect((await beforeTheLock(choose, sync, 3)).status).equals(200);
    const disk = await openGit({ folder: join(api.dataDir, 'repositories') });
    expect([await logged(), await disk.head(id)]).deep.equals(['other', 'other']);
  });

  it('follow their source to where it is by then for a request that comes again', async () => {
    const { source, path, id } = await mirrored();
    const sync = () => ann.post(`${path}/mirror-sync`, undefined, { 'idempotency-key': 'follow' });
    await server.commit(source, 'trunk', 'a', 'one');
    const { db } = api.connections;
    await db.rows(
      `create function crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`,
    );
    await db.rows(
      'create trigger crash before insert on vault.answers for each row execute function crash()',
    );
    expect((await sync()).status).equals(500);
    await db.rows('drop trigger crash on vault.answers');
    const newest = await server.commit(source, 'trunk', 'a', 'two');
    expect((await sync()).status).equals(200);
    const disk = await openGit({ folder: join(api.dataDir, 'repositories') });
    const { state } = await new CommandHandler({ log: api.connections.log }).load(Repository, id);
    expect([state.refs, await disk.refs(id)].map((refs) => refs.get('refs/heads/trunk'))).deep.equals([
      newest,
      newest,
    ]);
  });

  it('note when they were pulled, and nothing else where nothing moved', async () => {
    const { path, sync } = await mirrored();
    const before = body(await ann.get(path));
    expect((await sync()).status).equals(200);
    const after = body(await ann.get(path));
    expect({ ...after, mirror_updated: before.mirror_updated }).deep.equals(before);
  });

  it('may be pulled by several at once', async () => {
    const { source, id, sync } = await mirrored();
    const branches = ['a', 'b', 'c'];
    for (const branch of branches) await server.commit(source, branch, branch, branch);
    const answers = await Promise.all([sync(), sync(), sync()]);
    expect(answers.map(({ status }) => status)).deep.equals([200, 200, 200]);
    expect(Object.keys(await refs(id))).have.members(
      ['main', ...branches].map((name) => `refs/heads/${name}`),
    );
  });

  it('sign in with what they were made with, which is forgotten with them', async () => {
    const own = await startGitServer();
    try {
      own.protect('me', 'secret');
      await own.commit('a.git', 'main', 'x', 'y');
      const { sync, path, id } = await mirrored({
        clone_addr: `${own.url}/a.git`,
        auth_username: 'me',
        auth_password: 'secret',
      });
      const hash = await own.commit('a.git', 'main', 'x', 'z');
      expect((await sync()).status).equals(200);
      expect((await refs(id))['refs/heads/main']).equals(hash);
      expect(await api.connections.vault.mirrors.find(id)).deep.equals({
        username: 'me',
        password: 'secret',
      });
      expect((await ann.delete(path)).status).equals(204);
      expect(await api.connections.vault.mirrors.find(id)).equals(undefined);
    } finally {
      await own.stop();
    }
  });

  it('are as due as before where the stop of the server ended a pull', async () => {
    const own = await startGitServer();
    try {
      await own.commit('a.git', 'main', 'x', 'y');
      const { sync, id } = await mirrored({ clone_addr: `${own.url}/a.git` });
      const asked = new Promise<void>((resolve) => {
        own.intercept(() => {
          resolve();
          return true; // and nobody answers
        });
      });
      const pull = sync();
      await asked;
      await api.restart();
      expect((await pull).status).equals(503);
      const events = await api.connections.log.readStream(streamOf(Repository, id));
      expect(events.map(({ type }) => type)).not.include('MirrorPullFailed');
    } finally {
      await own.stop();
    }
  });

  it('are pulled by writers, and only where they are mirrors', async () => {
    const { sync, path } = await mirrored();
    const statuses: number[] = [];
    for (const client of [api.anonymous as TestUser, ben, ann, api.admin as TestUser])
      statuses.push((await sync(client)).status);
    expect(statuses).deep.equals([401, 403, 200, 200]);
    expect((await ann.post(`${path}-absent/mirror-sync`)).status).equals(404);
    const plain = await ann.post('/user/repos', { name: 'plain' });
    expect(plain.status, plain.text).equals(201);
    expect((await ann.post('/repos/ann/plain/mirror-sync')).status).equals(400);
  });

  it('are written to by nobody else', async () => {
    const { path } = await mirrored();
    const write = async (method: string, place: string, sent: object = {}) => [
      place,
      (await ann.send(method, path + place, sent)).status,
    ];
    const refused = [
      await write('POST', '/contents/new', { content: '' }),
      await write('POST', '/branches', { new_branch_name: 'new' }),
      await write('PATCH', '/branches/main', { name: 'new' }),
      await write('DELETE', '/branches/main'),
      await write('POST', '/tags', { tag_name: 'new' }),
    ];
    for (const [place, status] of refused) expect(status, String(place)).equals(403);
    const git = async (service: string) => {
      const address = `${api.url()}${path.replace('/repos', '')}.git/info/refs?service=${service}`;
      return (await fetch(address, { headers: { authorization: basic('ann', PASSWORD) } })).status;
    };
    expect([await git('git-upload-pack'), await git('git-receive-pack')]).deep.equals([200, 403]);
  });

  it('stay as they are where the source fails, and say so', async () => {
    const { id, sync } = await mirrored();
    const before = await refs(id);
    server.intercept((_, response) => Boolean(response.writeHead(404).end()));
    const { status, message } = await sync();
    server.intercept(() => false);
    expect(status).equals(422);
    expect(message).include('no such repository');
    await api.shown();
    expect(await refs(id)).deep.equals(before);
    const [last] = (await api.connections.log.readStream(`repository-${id}`)).slice(-1);
    expect(last).deep.include({ type: 'MirrorPullFailed' });
    expect((await sync()).status).equals(200);
  });

  it('grow within the quota of their owner', async () => {
    const dan = await api.createUser('dan');
    const { source, id, sync } = await mirrored({}, dan);
    const group = { name: 'small', rules: [{ name: 'small', limit: MEGABYTE, subjects: ['size:git:all'] }] };
    await api.admin.post('/admin/quota/groups', group);
    await api.admin.put('/admin/quota/groups/small/users/dan');
    await server.commit(source, 'main', 'some', randomBytes(300_000));
    expect((await sync()).status).equals(200);
    const before = await refs(id);
    const used = async () => body(await api.admin.get('/admin/users/dan/quota')).used;
    const stored = await used();
    await server.commit(source, 'main', 'noise', randomBytes(2 * MEGABYTE));
    const answer = await sync();
    expect(answer.status, answer.text).equals(413);
    await api.shown();
    expect(await refs(id)).deep.equals(before);
    expect(await used()).deep.equals(stored);
    await api.admin.delete('/admin/quota/groups/small/users/dan');
    expect((await sync()).status).equals(200);
  });

  it('need no room for what their source says of refs that they have', async () => {
    const erin = await api.createUser('erin');
    const { sync } = await mirrored({}, erin);
    const { size } = body(await erin.get('/user/quota')).used as { size: { repos: { public: number } } };
    const limit = size.repos.public + 1;
    const group = { name: 'full', rules: [{ name: 'full', limit, subjects: ['size:repos:all'] }] };
    await api.admin.post('/admin/quota/groups', group);
    await api.admin.put('/admin/quota/groups/full/users/erin');
    const answer = await sync();
    expect(answer.status, answer.text).equals(200);
  });

  it('are due when their interval has passed since they were last tried', async () => {
    const { id, sync } = await mirrored({ mirror_interval: '1h' });
    const byHand = await mirrored({ mirror_interval: '0' });
    const db = new Database({
      url: api.databaseUrl,
      applicationName: 'test-due',
      searchPath: [schemaOf(repositories), 'public'],
    });
    try {
      const dueIn = async (ms: number) =>
        (await listDueMirrors(db, new Date(Date.now() + ms), 100)).map(({ repositoryId }) => repositoryId);
      expect(await dueIn(HOUR / 2)).not.include(id);
      expect(await dueIn(HOUR + 1000)).include(id);
      expect(await dueIn(-2 * HOUR), 'by a clock that has been set back').include(id);
      expect(await dueIn(1000 * HOUR)).not.include(byHand.id);
      await mirrored({}, ben);
      await api.shown();
      const due = await listDueMirrors(db, new Date(Date.now() + 1000 * HOUR), 100);
      const owners = due.map(({ ownerId }) => ownerId);
      const { size } = new Set(owners);
      expect(size).greaterThan(1);
      expect(new Set(owners.slice(0, size)), 'one of each owner first').to.have.property('size', size);
      server.intercept((_, response) => Boolean(response.writeHead(500).end()));
      await sync();
      server.intercept(() => false);
      await api.shown();
      expect(await dueIn(HOUR / 2)).not.include(id);

      const setInterval = (seconds: number) =>
        api.connections.db.rows(`
          update ${schemaOf(repositories)}.repositories
          set mirror = jsonb_set(mirror, '{intervalSeconds}', '${seconds}') where id = ${byHand.id}`);
      await setInterval(Number.MAX_SAFE_INTEGER);
      expect(await dueIn(HOUR + 1000), 'beside one whose time never comes')
        .include(id)
        .and.not.include(byHand.id);
      await setInterval(0);

      await api.connections.db.rows(`
        insert into vault.mirrors (repository_id, sealed) values (${id}, 'unreadable');
        update ${schemaOf(repositories)}.repositories set pulled_at = now() - interval '2 hours' where id = ${id}`);
      expect(await dueIn(0)).include(id);
      expect((await sync()).status, 'nobody’s fault but ours').equals(500);
      await api.shown();
      expect(await dueIn(0)).not.include(id);
    } finally {
      await db.close();
    }
  });
});
