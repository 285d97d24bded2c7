import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import { explained } from '../../src/failures/advice.js';
import { startEventStoreDbStub } from '../support/eventstoredb-stub/stub.js';
import { dataDir } from '../support/data-dir.js';
import { NOBODYS_PORT } from '../support/nobodys-port.js';
import { pooler } from '../support/pooler.js';
import { testDatabase } from '../support/postgres.js';
import { runProgram } from '../support/process.js';

const NEVER = 'npm start first';
const MAIN = fileURLToPath(new URL('../../src/start/main.js', import.meta.url));

/** What a program says that cannot do its work, and its status. It says what to do, and shows no stack. */
async function told(path: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const program = runProgram(path, args, { PORT: '0', LOG_LEVEL: 'silent', ...env });
  const { code } = await program.ended();
  expect(program.output()).not.to.match(/^ +at /m);
  return { code, says: program.output() };
}

/** Those that a database has beside its own. */
async function schemasOf(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select nspname::text as name from pg_namespace where nspname !~ '^pg_|^public$|^information_schema$'`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}

describe('what cannot start', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  beforeEach(async () => {
    data = await dataDir();
  });
  afterEach(() => data.remove());
  const start = (env: NodeJS.ProcessEnv) =>
    told('src/start/main.js', [], { DATA_DIR: data.path, ADMIN_PASSWORD: 'correct horse', ...env });

  it('names a data folder that is a file, or in a place that takes none', async () => {
    const file = join(data.path, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below'), '/proc/tallyforge/data']) {
      const { code, says } = await start({ DATA_DIR: path });
      expect(code).to.equal(1);
      expect(says).to.include(`DATA_DIR ${path} cannot be used`).and.include('Set DATA_DIR to a folder');
    }
  });

  it('names a data folder that this user may not write in', async () => {
    await chmod(data.path, 0o555);
    // Root may write everywhere, unless it is without that capability.
    const mortal = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override'] : [];
    const [program, ...args] = [...mortal, process.execPath, MAIN];
    const { status, stderr } = spawnSync(program, args, {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data.path },
      encoding: 'utf8',
    });
    await chmod(data.path, 0o711);
    expect(status).to.equal(1);
    expect(stderr).to.include(`DATA_DIR ${data.path} cannot be used`).and.include('Set DATA_DIR to a folder');
  });

  it('names the limit of open files, where that is too low', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, MAIN],
      { env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data.path }, encoding: 'utf8' },
    );
    expect(status).to.equal(1);
    expect(stderr).to.include('a process may open 256 files at once').and.include('ulimit -n');
  });

  it('names the variable of a database or an event log that does not answer', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const { code, says } = await start({
        DATABASE_URL: `postgresql://u:hidden-word@${host}:${NOBODYS_PORT}/x`,
      });
      expect(code).to.equal(1);
      expect(says).to.include('ECONNREFUSED').and.include('DATABASE_URL').and.not.include('hidden-word');
    }
    const database = await testDatabase();
    const EVENTSTORE_URL = `esdb://127.0.0.1:${NOBODYS_PORT}?tls=false`;
    const { code, says } = await start({ DATABASE_URL: database.url, EVENTSTORE_URL });
    await database.drop();
    expect(code).to.equal(1);
    expect(says).to.include('EVENTSTORE_URL says where it is');
  });

  it('names the variable of an EventStoreDB that refuses who signs in', () => {
    for (const [code, message] of [
      [7, '7 PERMISSION_DENIED: Access Denied'],
      [16, '16 UNAUTHENTICATED: Unauthenticated'],
    ] as const)
      expect(explained(Object.assign(new Error(message), { code })))
        .to.include(message)
        .and.include('EVENTSTORE_URL');
  });

  it('says that the disk is full, whoever finds it so', () => {
    for (const [code, message] of [
      ['ENOSPC', 'ENOSPC: no space left on device, write'],
      ['53100', 'could not extend file "base/1/2": No space left on device'],
    ] as const)
      expect(explained(Object.assign(new Error(message), { code })))
        .to.include(message)
        .and.include('make room');
  });

  it('says once why the event log gave no answer', () => {
    const cause = new Error('connection refused');
    for (const message of ['PostgreSQL did not answer', 'EventStoreDB did not answer: connection refused'])
      expect(explained(new EventStoreUnavailable(message, { cause }))).to.match(
        /^\w+ did not answer: connection refused\n/,
      );
    expect(explained(new EventStoreUnavailable('it stops'))).to.match(/^it stops\n/);
  });

  it('names the variable of an address that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, says } = await start({ PORT: String(port) });
    other.close();
    expect(code).to.equal(1);
    expect(says).to.include(`127.0.0.1:${port}`).and.include('set another PORT');
  });

  it('names the variable of an address that is none of this machine', async () => {
    for (const host of ['192.0.2.1', 'absent.invalid']) {
      const { code, says } = await start({ HOST: host });
      expect(code).to.equal(1);
      expect(says).to.include('HOST is not an address of this machine').and.not.include('PostgreSQL');
    }
  });

  it('says which git it needs, where that is missing or too old', async () => {
    const git = join(data.path, 'git');
    for (const [script, problem] of [
      ['echo git version 2.34.1', 'git version 2.34.1 is too old'],
      ['exit 127', 'git cannot be run'],
    ] as const) {
      await writeFile(git, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const { code, says } = await start({ PATH: `${data.path}:${process.env.PATH ?? ''}` });
      expect(code).to.equal(1);
      expect(says).to.include(`${problem}\nInstall git 2.38 or later.`);
    }
  });

  it('is 78 where the database lacks characters that texts may hold, before anything is made there', async () => {
    const database = await testDatabase();
    const server = new pg.Client(database.url);
    await server.connect();
    const latin = `${database.name}_latin`;
    await server.query(`create database ${latin} encoding 'LATIN1' locale 'C' template template0`);
    const DATABASE_URL = database.url.replace(database.name, latin);
    const { code, says } = await start({ DATABASE_URL });
    const [made] = await schemasOf(DATABASE_URL);
    await server.query(`drop database ${latin} with (force)`);
    await server.end();
    await database.drop();
    expect([code, made]).to.deep.equal([78, undefined]);
    expect(says).to.include('the database is kept in LATIN1').and.include('set DATABASE_URL');
  });

  it('names the variable of a role that may make nothing in its database', async () => {
    const database = await testDatabase();
    const server = new pg.Client(database.url);
    await server.connect();
    const role = `${database.name}_guest`;
    await server.query(`create role ${role} login`);
    const { code, says } = await start({ DATABASE_URL: database.url.replace('//postgres@', `//${role}@`) });
    await server.query(`drop role ${role}`);
    await server.end();
    await database.drop();
    expect(code).to.equal(1);
    expect(says).to.include('permission denied').and.include('DATABASE_URL').and.include('grant them CREATE');
  });

  it('is 78 where the database is reached through a pooler', async () => {
    const database = await testDatabase();
    const between = await pooler(database.url, 'drops options');
    const { code, says } = await start({ DATABASE_URL: between.url });
    await between.close();
    const [made] = await schemasOf(database.url);
    await database.drop();
    expect([code, made]).to.deep.equal([78, undefined]);
    expect(says).to.include('through a pooler').and.include('set DATABASE_URL');
  });

  it('is 78 where the vault was sealed with another key, before anything is added to it', async () => {
    const database = await testDatabase();
    const migrate = (VAULT_KEY: string) =>
      told('src/migrate/main.js', [], { DATABASE_URL: database.url, VAULT_KEY, DATA_DIR: data.path });
    expect((await migrate('11'.repeat(32))).code).to.equal(0);
    const { code, says } = await migrate('22'.repeat(32));
    expect((await migrate('11'.repeat(32))).code).to.equal(0);
    await database.drop();
    expect(code).to.equal(78);
    expect(says).to.include('VAULT_KEY').and.include('put that one back');
  });

  it('leaves no key of its own where that of the vault is missing', async () => {
    const database = await testDatabase();
    const DATABASE_URL = database.url;
    await told('src/migrate/main.js', [], { DATABASE_URL, VAULT_KEY: '11'.repeat(32) });
    const started = await start({ DATABASE_URL });
    const migrated = await told('src/migrate/main.js', [], { DATABASE_URL, DATA_DIR: data.path });
    await database.drop();
    for (const { code, says } of [started, migrated]) {
      expect(code).to.equal(78);
      expect(says).to.include('there is no DATA_DIR/vault.key').and.include('put that one back');
    }
    expect(existsSync(join(data.path, 'vault.key'))).to.equal(false);
  });

  it('is 78 where the event log has accounts that the vault does not know', async () => {
    const stub = await startEventStoreDbStub();
    const databases = [await testDatabase(), await testDatabase()];
    const EVENTSTORE_URL = stub.url;
    const migrate = (database?: { readonly url: string }) =>
      told('src/migrate/main.js', [], {
        DATABASE_URL: database?.url,
        EVENTSTORE_URL,
        VAULT_KEY: '11'.repeat(32),
      });
    expect((await migrate(databases[0])).code).to.equal(0);
    const { code, says } = await migrate(databases[1]);
    expect((await migrate(databases[0])).code).to.equal(0);
    for (const database of databases) await database.drop();
    await stub.stop();
    expect(code).to.equal(78);
    expect(says).to.include('DATABASE_URL').and.include('EVENTSTORE_URL');
  });

  const programs = [
    ['projections/rebuild/main.js', '--all'],
    ['src/audit/main.js', '--verify'],
    ['src/rehearsal/main.js', '/dev/null'],
    ['src/reconcile/main.js'],
    ['src/backup/main.js', '/tmp/not-made'],
  ] as const;
  for (const [path, ...args] of programs)
    it(`leaves alone what was never served: ${path}`, async () => {
      const { code, says } = await told(path, args, { DATA_DIR: join(data.path, 'none') });
      expect(code).to.equal(2);
      expect(says).to.include('DATA_DIR').and.include(NEVER);
      expect(existsSync(join(data.path, 'none'))).to.equal(false);
    });

  it('names the variable of an event log that is away, rather than wait for it', async () => {
    const database = await testDatabase();
    const stub = await startEventStoreDbStub();
    const settings = {
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
      EVENTSTORE_URL: stub.url,
      VAULT_KEY: '11'.repeat(32),
    };
    const made = await told('src/migrate/main.js', [], settings);
    await stub.stop();
    const away = [];
    for (const [path, ...args] of [
      ['projections/rebuild/main.js', '--all', '--verify'],
      ['src/audit/main.js', '--verify'],
      ['src/reconcile/main.js', '--dry-run'],
    ] as const)
      away.push(await told(path, args, settings));
    await database.drop();
    expect([made, ...away].map(({ code }) => code)).to.deep.equal([0, 2, 2, 2]);
    for (const { says } of away) expect(says).to.include('EVENTSTORE_URL says where it is');
  });

  it('tells an empty database from one that was served', async () => {
    const database = await testDatabase();
    const { code, says } = await told('src/audit/main.js', ['--verify'], {
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
      VAULT_KEY: '11'.repeat(32),
    });
    await database.drop();
    expect(code).to.equal(2);
    expect(says).to.include('the database is empty').and.include(NEVER);
  });

  it('says that tables of this release are missing, and leaves those of another', async () => {
    const database = await testDatabase();
    const settings = { DATA_DIR: data.path, DATABASE_URL: database.url, VAULT_KEY: '11'.repeat(32) };
    await told('src/migrate/main.js', [], settings);
    const earlier = schemaOf({ ...quota, version: 0 });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`create schema "${earlier}"`);
    const before = await schemasOf(database.url);
    const proposal = join(data.path, 'proposal.json');
    await writeFile(proposal, '{"rules":[]}');
    const answers = [];
    for (const [path, ...args] of [
      ['projections/rebuild/main.js', '--all', '--verify'],
      ['projections/rebuild/main.js', '--all', '--drop-old'],
      ['src/rehearsal/main.js', proposal],
      ['src/reconcile/main.js'],
    ] as const)
      answers.push(await told(path, args, settings));
    const after = await schemasOf(database.url);
    await client.end();
    await database.drop();
    expect(answers.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2]);
    for (const { says } of answers) expect(says).to.include('of this release').and.include('npm start');
    expect(after).to.have.members(before);
  });
});
