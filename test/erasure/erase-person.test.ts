import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import { readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { accounts } from '../../projections/accounts/accounts.js';
import { issues } from '../../projections/issues/issues.js';
import { schemaOf } from '../../projections/projection.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { readConfig } from '../../src/config.js';
import { connect, type Connections } from '../../src/connections.js';
import { Account } from '../../src/domain/accounts/account.js';
import { withPostgres } from '../../src/postgres/lease.js';
import { vaultKey } from '../../src/start/vault-key.js';
import { clientOf } from '../support/client.js';
import { filesBelow } from '../support/files-below.js';
import { Installation } from '../support/processes/installation.js';
import { newKey } from '../support/public-keys.js';

/** Whatever the person told begins so, in any letters. */
const MARK = 'qzxqzx';
const PASSWORD = 'correct horse';

describe('forgetting a person', function () {
  this.timeout(900_000);
  let installation: Installation;
  let receiver: Server;

  before(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    installation = await Installation.create({ ALLOW_LOCAL_NETWORKS: 'true' });
    await installation.start();
    const { admin } = installation;
    await admin.post('/user/repos', { name: 'project', auto_init: true });
    const { port } = receiver.address() as AddressInfo;
    await admin.post('/repos/root/project/hooks', {
      type: 'forgejo',
      config: { url: `http://127.0.0.1:${port}/`, content_type: 'json' },
      events: ['issues', 'issue_comment'],
      active: true,
    });
  });
  after(async () => {
    receiver.close();
    await installation.remove();
  });

  it('takes a purge with it', async () => {
    const { status, message } = await installation.admin.delete('/admin/users/root?erase=true');
    expect(status).to.equal(422);
    expect(message).to.contain('purge=true');
  });

  it('leaves nothing of what the person told, and everything else as it was', async () => {
    const { admin } = installation;
    const { id, issue } = await livingPerson(installation, `${MARK}alice`);
    expect(await installation.rebuild('accounts', 'issues', 'account-history')).to.deep.include({ code: 0 });
    await installation.isReady();
    const holding = [
      `${schemaOf(accounts)}__old.accounts`,
      `${schemaOf(issues)}.issue_texts`,
      'deliveries.payloads',
    ];
    let seen: string[] = [];
    await underneath(installation, async (connections) => {
      expect(await keyOf(id, connections)).to.deep.equal([{ isShredded: false }]);
      do seen = await traces(installation, connections);
      while (!holding.every((name) => seen.includes(name)));
    });
    expect(seen).to.not.include('events.log');
    const standing = (await admin.get('/user/quota')).text;

    expect((await admin.delete(`/admin/users/${MARK}alice?purge=true&erase=true`)).status).to.equal(204);

    await forgotten(installation);
    expect((await admin.get(`/users/${MARK}alice`)).status).to.equal(404);
    expect((await admin.get(`/repos/root/project/issues/${issue}`)).status).to.equal(404);
    expect((await admin.get('/user/quota')).text).to.equal(standing);
    expect(await installation.audit('--verify')).to.deep.include({ code: 0 });
    expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
    expect((await admin.get('/admin/history?limit=1')).json).to.have.nested.property(
      '[0].type',
      'PersonErased',
    );
    await underneath(installation, async (connections) => {
      expect(await keyOf(id, connections)).to.deep.equal([{ isShredded: true }]);
    });
    const dump = join(installation.dataDir, 'dump');
    const made = await installation.run('src/backup/main.js', dump);
    expect(made.code, made.stderr).to.equal(0);
    const tables = (await readdir(join(dump, 'database'))).filter((name) => name.endsWith('.copy.gz'));
    expect(tables).to.include.members(['events.log.copy.gz', 'deliveries.payloads.copy.gz']);
    for (const name of tables) {
      const rows = gunzipSync(await readFile(join(dump, 'database', name))).toString('latin1');
      expect(rows.toLowerCase().includes(MARK), name).to.equal(false);
    }
    await rm(dump, { recursive: true });
  });

  it('comes later as well, by the id of an account that was deleted without it', async () => {
    const { id, issue } = await livingPerson(installation, `${MARK}carol`);
    const erase = (...args: string[]) => installation.run('src/erasure/main.js', ...args);
    const living = await erase('--id', String(id));
    expect(living).to.deep.include({ code: 2 });
    expect(living.stderr).to.contain(`(${MARK}carol) is not deleted`);

    const { admin } = installation;
    expect((await admin.delete(`/repos/${MARK}carol/own`)).status).to.equal(204);
    expect((await admin.delete(`/admin/users/${MARK}carol`)).status).to.equal(204);
    expect((await erase('--id', String(id), '--dry-run')).stdout).to.contain(
      `(${MARK}carol) would be forgotten`,
    );
    for (let time = 0; time < 2; time++)
      expect(await erase('--id', String(id))).to.deep.include({ code: 0, stderr: '' });
    await forgotten(installation);
    expect((await erase('--id', String(id), '--dry-run')).stdout).to.contain('is forgotten already');
    expect((await admin.get(`/repos/root/project/issues/${issue}`)).json).to.deep.include({
      title: '(erased)',
      body: '(erased)',
    });
    const comment = await admin.post(`/repos/root/project/issues/${issue}/comments`, { body: 'goes on' });
    expect(comment.status).to.equal(201);
    expect(
      (await admin.patch(`/repos/root/project/issues/${issue}`, { title: 'Named anew' })).status,
    ).to.equal(201);
    expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
  });

  it('refuses what is no deleted account, and forgets nobody', async () => {
    for (const args of [['--id', '999999'], ['--id', 'x'], []])
      expect(await installation.run('src/erasure/main.js', ...args)).to.deep.include({ code: 2 });
    expect((await installation.admin.get('/users/root')).status).to.equal(200);
  });

  it('is finished by the next start where everything was killed on the way', async () => {
    const { id } = await livingPerson(installation, `${MARK}bob`);
    await installation.stop();
    await underneath(installation, async ({ log }) => {
      const commands = new CommandHandler({ log });
      const data = { accountId: id, at: new Date().toISOString() };
      await commands.handle(Account, id, { type: 'CloseAccount', data }, context());
      await commands.handle(
        Account,
        id,
        { type: 'DeleteAccount', data: { ...data, erase: true } },
        context(),
      );
    });
    await installation.start();
    await forgotten(installation);
    expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
  });
});

/** Somebody who has told of themselves wherever that can be done; the issue is one in somebody else's repository. */
async function livingPerson(
  installation: Installation,
  username: string,
): Promise<{ id: number; issue: number }> {
  const { admin } = installation;
  const post = async (client: typeof admin, path: string, body: unknown) => {
    const { status, json, text } = await client.post(path, body);
    expect(status, `${path}: ${text}`).to.be.oneOf([200, 201]);
    return json as { id: number; number: number };
  };
  const { id } = await post(admin, '/admin/users', {
    username: `${MARK}first`,
    email: `${username}@example.org`,
    full_name: `${MARK} full name`,
    login_name: `${MARK}login`,
    password: PASSWORD,
    must_change_password: false,
  });
  await admin.post(`/admin/users/${MARK}first/rename`, { new_username: username });
  const person = clientOf(() => installation.address, { username, password: PASSWORD });
  await person.patch('/user/settings', {
    website: `https://${MARK}.example`,
    location: `${MARK}town`,
    description: `${MARK} about me`,
    pronouns: `${MARK}/them`,
  });
  await post(person, '/user/emails', { emails: [`${username}-second@example.org`] });
  await post(person, '/user/keys', { title: `${MARK} laptop`, key: newKey(`${MARK}@laptop`) });
  await post(person, `/users/${username}/tokens`, { name: `${MARK} token`, scopes: ['all'] });
  const texts = { title: `${MARK} title`, body: `${MARK} body` };
  const { number } = await post(person, '/repos/root/project/issues', texts);
  await person.patch(`/repos/root/project/issues/${number}`, { body: `${MARK} body again` });
  const comment = await post(person, `/repos/root/project/issues/${number}/comments`, {
    body: `${MARK} comment`,
  });
  await person.patch(`/repos/root/project/issues/comments/${comment.id}`, { body: `${MARK} edited` });
  await post(person, '/user/repos', { name: 'own', auto_init: true });
  await post(admin, `/repos/${username}/own/issues`, { title: 'by somebody else' });
  return { id, issue: number };
}

const context = () => ({ commandId: randomUUID(), at: new Date().toISOString() });

const keyOf = (id: number, { db }: Connections) =>
  db.rows(`select sealed is null as "isShredded" from vault.person_keys where account_id = ${id}`);

/** Where the mark stands: tables of the database, and files beside it that are no objects of git. */
async function traces({ dataDir }: Installation, { db }: Connections): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db
      .rows(`select from ${name} t where t::text ilike '%${MARK}%' limit 1`)
      .catch(() => ['gone meanwhile']);
    if (rows.length > 0) found.push(name);
  }
  return [...found, ...(await tracesInFiles(dataDir))];
}

/** Resolves when nothing is left, and leaves to mocha to say that something is. */
const forgotten = (installation: Installation) =>
  underneath(installation, async (connections) => {
    while ((await traces(installation, connections)).length > 0) await sleep(250);
  });

async function tracesInFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await filesBelow(folder)) {
    const parts = path.slice(folder.length).split(sep);
    if (parts.includes('objects') || parts.includes('postgres')) continue;
    const text = await readFile(path, 'latin1').catch(() => '');
    if (text.toLowerCase().includes(MARK)) found.push(path);
  }
  return found;
}

/** Works on the database of an installation, served or not. */
function underneath<T>(
  { dataDir }: Installation,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const config = readConfig({ DATA_DIR: dataDir });
  return withPostgres(config, async (databaseUrl) => {
    const connections = await connect(
      { ...config, databaseUrl, vaultKey: await vaultKey(dataDir) },
      { applicationName: 'test', onError: () => undefined },
    );
    try {
      return await work(connections);
    } finally {
      await connections.close();
    }
  });
}
