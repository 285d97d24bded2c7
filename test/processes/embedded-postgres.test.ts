import { expect } from 'chai';
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { tryLock } from '../../src/files/file-lock.js';
import { leasePostgres, withPostgres } from '../../src/postgres/lease.js';
import { readConfig } from '../../src/config.js';
import { dataDir } from '../support/data-dir.js';
import { isRunning, until } from '../support/process.js';
import { rejection } from '../support/rejection.js';

describe('the embedded PostgreSQL', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  const config = () => readConfig({ DATA_DIR: data.path });
  const lease = () => leasePostgres(config());
  const file = (name: string) => join(data.path, 'postgres', name);
  const postmaster = async () => Number((await readFile(file('postmaster.pid'), 'utf8')).split('\n')[0]);
  const isGone = () => {
    const lock = tryLock(join(data.path, 'postgres.lock'));
    lock?.release();
    return lock !== undefined;
  };

  before(async () => {
    data = await dataDir();
  });
  after(() => data.remove());

  it('starts for whoever needs it, and is gone when they are', async () => {
    const answer = await withPostgres(config(), (url) => ask(url, 'select 1 + 1 answer'));
    expect(answer).to.deep.equal([{ answer: 2 }]);
    expect(isGone()).to.equal(true);
  });

  it('can be started later where the system refuses to start what keeps it', async () => {
    const { execPath } = process;
    process.execPath = '/dev/null/node';
    const refused = await rejection(lease()).finally(() => (process.execPath = execPath));
    expect(refused).to.have.property('code', 'ENOTDIR');
    expect(isGone()).to.equal(true);
  });

  it('is found whatever the shell says of another PostgreSQL', async () => {
    Object.assign(process.env, { PGPORT: '1', PGSSLMODE: 'require', PGOPTIONS: '-c search_path=elsewhere' });
    await withPostgres(config(), async (url) => {
      expect(await ask(url, 'show search_path')).to.deep.equal([{ search_path: '"$user", public' }]);
    });
  });

  it('listens on a Unix socket only, in a folder of its own, with a password in a file of its own', async () => {
    expect((await stat(file('.'))).mode & 0o077).to.equal(0);
    expect((await stat(file('tallyforge-password'))).mode & 0o777).to.equal(0o600);
    await withPostgres(config(), async (url) => {
      expect(await ask(url, 'show listen_addresses')).to.deep.equal([{ listen_addresses: '' }]);
      const guess = await ask(url.replace(/:[^:@]+@/, ':guess@'), 'select 1').catch(
        (error: unknown) => error,
      );
      expect(guess).to.have.property('code', '28P01');
    });
  });

  it('is one server for all who start it at once, and serves until the last has gone', async () => {
    const leases = await Promise.all([lease(), lease(), lease()]);
    const [first, second, third] = leases;
    const pid = await postmaster();
    await first.release();
    await second.release();
    await ask(third.url, 'select 1');
    expect(await postmaster()).to.equal(pid);
    await third.release();
    expect(isGone()).to.equal(true);
  });

  it('stops when those who needed it died without a word', async () => {
    const held = await lease();
    const [session] = await ask(
      held.url,
      `select pid from pg_stat_activity where application_name = 'tallyforge-lease'`,
    );
    await ask(held.url, `select pg_terminate_backend(${String(session?.pid)})`);
    await held.lost;
    await until(isGone);
  });

  it('holds up nobody who is done with it where it stands still, and ends once it goes on', async () => {
    const held = await lease();
    const [session] = await ask(
      held.url,
      `select pid from pg_stat_activity where application_name = 'tallyforge-lease'`,
    );
    process.kill(Number(session?.pid), 'SIGSTOP');
    try {
      await held.release();
    } finally {
      process.kill(Number(session?.pid), 'SIGCONT');
    }
    await until(isGone);
  });

  it('goes down with the process that keeps it, and starts again', async () => {
    const held = await lease();
    const server = await postmaster();
    process.kill(await keeperOf(server), 'SIGKILL');
    await held.lost;
    await until(async () => !(await isRunning(server)));
    expect(await withPostgres(config(), (url) => ask(url, 'select 2 answer'))).to.deep.equal([{ answer: 2 }]);
  });

  it('recovers from the death of the server itself, with everything that was committed', async () => {
    const held = await lease();
    await ask(held.url, 'create table kept as select 42 answer');
    process.kill(await postmaster(), 'SIGKILL');
    await held.lost;
    expect(await withPostgres(config(), (url) => ask(url, 'table kept'))).to.deep.equal([{ answer: 42 }]);
  });

  it('ends where its password is another or missing, and names the file', async () => {
    const password = await readFile(file('tallyforge-password'), 'utf8');
    for (const wrong of ['another', '', undefined]) {
      await until(isGone);
      if (wrong === undefined) await rm(file('tallyforge-password'));
      else await writeFile(file('tallyforge-password'), wrong);
      const { message } = await rejection(lease());
      expect(message).to.include(file('tallyforge-password'));
    }
    await until(isGone);
    await writeFile(file('tallyforge-password'), password, { mode: 0o600 });
    expect(await withPostgres(config(), (url) => ask(url, 'table kept'))).to.deep.equal([{ answer: 42 }]);
  });

  it('is not left behind by what gives up while it still starts', async () => {
    await until(isGone);
    const programs = file('../programs');
    await mkdir(programs);
    await writeFile(join(programs, 'setpriv'), '#!/bin/sh\nsleep 0.3\nPATH=${PATH#*:}\nexec setpriv "$@"\n');
    await chmod(join(programs, 'setpriv'), 0o755);
    await rename(file('tallyforge-password'), file('../password'));
    const { PATH } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    const { message } = await rejection(lease()).finally(() => (process.env.PATH = PATH));
    expect(message).to.include(file('tallyforge-password'));
    await until(isGone);
    await rename(file('../password'), file('tallyforge-password'));
  });

  it('may be told to end while it lets nobody in yet', async () => {
    await until(isGone);
    await writeFile(file('standby.signal'), ''); // it then waits for more to recover, for as long as it runs
    await appendFile(file('postgresql.auto.conf'), 'hot_standby = off\n');
    const held = lease();
    await until(async () =>
      /^standby\s*$/m.test(await readFile(file('postmaster.pid'), 'utf8').catch(() => '')),
    );
    await rm(file('standby.signal'));
    process.kill(await keeperOf(await postmaster()), 'SIGTERM');
    const next = await held;
    expect(await ask(next.url, 'table kept')).to.deep.equal([{ answer: 42 }]);
    await next.release();
  });

  it('is not held up by a file that names a process of somebody else', async () => {
    await until(isGone); // or the server that still stops is taken for one that runs, and this process for it
    await writeFile(file('postmaster.pid'), `${process.pid}\n${file('.')}\n`);
    expect(await withPostgres(config(), (url) => ask(url, 'table kept'))).to.deep.equal([{ answer: 42 }]);
  });
});

describe('an embedded PostgreSQL', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  const folder = () => join(data.path, 'ä "b", c');
  const start = (path = folder()) =>
    withPostgres(readConfig({ DATA_DIR: path }), (url) => ask(url, 'select 1 answer'));

  before(async () => {
    data = await dataDir();
  });
  after(() => data.remove());

  it('starts in a folder of a strange name', async () => {
    expect(await start()).to.deep.equal([{ answer: 1 }]);
  });

  it('is named where the user that it runs as cannot enter what root put there', async function () {
    if (process.getuid?.() !== 0) this.skip();
    await chmod(folder(), 0o700);
    const { message } = await rejection(start());
    expect(message).to.include(`cannot enter ${folder()}/postgres`).and.include('(chmod a+x)');
    await chmod(folder(), 0o711);
    expect(await start()).to.deep.equal([{ answer: 1 }]);
  });

  it('is not shared with a copy that has only a link to it, and can be moved away from', async () => {
    const inData = (name: string) => join(data.path, name);
    const [linked, copy, moved] = [inData('linked'), inData('copy'), inData('moved')] as const;
    await rename(join(folder(), 'postgres'), inData('elsewhere'));
    for (const path of [linked, copy]) {
      await mkdir(path);
      await symlink(inData('elsewhere'), join(path, 'postgres'));
    }
    const refused = `${copy}/postgres is a link to the database of ${linked}: `;
    await withPostgres(readConfig({ DATA_DIR: linked }), async () => {
      expect(await rejection(start(copy)))
        .to.have.property('message')
        .that.contains(refused);
    });
    expect(await rejection(start(copy)))
      .to.have.property('message')
      .that.contains(refused);
    await rename(linked, moved);
    expect(await start(moved)).to.deep.equal([{ answer: 1 }]);
    expect(await rejection(start(copy)))
      .to.have.property('message')
      .that.contains(moved);
    await rm(copy, { recursive: true });
    await rename(inData('elsewhere'), join(folder(), 'postgres'));
  });

  it('says why it cannot start in its own words, which it writes to its log', async () => {
    const wal = join(folder(), 'postgres', 'pg_wal');
    for (const name of await readdir(wal)) if (/^[0-9A-F]+$/.test(name)) await rm(join(wal, name));
    const { message } = await rejection(start());
    expect(message)
      .to.match(/^PostgreSQL did not start:\n/)
      .and.include('could not locate a valid checkpoint');
  });

  it('is named where its folder is a link to nothing, and no other is made', async () => {
    await symlink(join(data.path, 'nothing'), join(data.path, 'postgres'));
    const { message } = await rejection(start(data.path));
    expect(message).to.include(`is a link to ${data.path}/nothing`);
    expect(await readdir(data.path)).not.to.include('postgres.unfinished');
  });
});

/** The process that started the server. */
const keeperOf = async (server: number) =>
  Number(/\) \S (\d+)/.exec(await readFile(`/proc/${server}/stat`, 'utf8'))?.[1]);

async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(question)).rows;
  } finally {
    await client.end();
  }
}
