import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { restore } from '../../src/backup/restore/restore.js';
import { readConfig } from '../../src/config.js';
import { gitClient, type GitClient } from '../git-http/client.js';
import { dataDir } from '../support/data-dir.js';
import { testDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';
import { ADMIN } from '../support/processes/site.js';
import { Installation } from '../support/processes/installation.js';
import { rejection } from '../support/rejection.js';

const BACK_UP = 'src/backup/main.js';
const RESTORE = 'src/backup/restore/main.js';

describe('npm run backup and npm run restore', function () {
  this.timeout(900_000);
  let folder: string;
  let client: GitClient;
  let origin: Installation;
  /** What was answered before the back-up began. */
  let acknowledged: Written;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
    await chmod(folder, 0o711);
    client = await gitClient();
    origin = await Installation.create();
    await origin.start();
    const { admin } = origin;
    await admin.post('/user/repos', { name: 'kept', auto_init: true });
    await admin.post('/user/repos', { name: 'empty' });
    await admin.post('/user/repos', { name: 'dropped', auto_init: true });
    await admin.post('/admin/quota/groups', {
      name: 'starter',
      rules: [{ name: 'small', limit: 1_000_000, subjects: ['size:all'] }],
    });
    await fillUp(origin);
    await deliver(origin);
    await client.git(['clone', '--quiet', remote(origin, 'kept'), 'kept']);
    const traffic = new Traffic(origin, client);
    await traffic.hasWritten(3);
    acknowledged = traffic.written;
    expect(acknowledged.issues).not.to.be.empty;
    const backup = origin.run(BACK_UP, whole());
    await admin.delete('/repos/root/dropped');
    const made = await backup;
    await traffic.stop();
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.match(/whole, as of position \d+, with [45] repositories\n/);
  });
  after(async () => {
    await origin.remove();
    await client.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const whole = (name = 'whole') => join(folder, name);

  it('makes an installation that has all that was answered before, and checks itself clean', async () => {
    const restored = await Installation.create();
    try {
      const { code, stdout, stderr } = await restored.run(RESTORE, whole());
      expect(code, stdout + stderr).to.equal(0);
      expect(await restored.run('src/reconcile/main.js')).to.deep.include({ code: 0 });
      expect((await restored.run('src/reconcile/main.js')).stdout).to.match(
        /: 0 differences mended, 0 left\n$/,
      );
      await restored.start();
      const { admin } = restored;
      for (const [number, title] of acknowledged.issues)
        expect((await admin.get(`/repos/root/kept/issues/${number}`)).json).to.deep.include({ title });
      const rules = (await admin.get('/admin/quota/rules')).json;
      expect(rules).to.deep.equal([{ name: 'small', limit: 1_000_000, subjects: ['size:all'] }]);

      const kept = await deliveriesOf(restored);
      expect(kept).to.have.length(1);
      expect(kept).to.deep.equal(await deliveriesOf(origin));

      await client.git(['clone', '--quiet', remote(restored, 'kept'), 'restored']);
      const commits = await client.git(['rev-list', 'HEAD'], { in: 'restored' });
      expect(commits.split('\n')).to.include.members(acknowledged.commits);
      await client.git(['fsck', '--strict'], { in: 'restored' });
      await client.commit('restored', { 'after.txt': 'after' });
      await client.git(['push', '--quiet'], { in: 'restored' });
      await client.git(['clone', '--quiet', remote(restored, 'empty'), 'empty']);

      await admin.post('/repos/dodo/nest/contents/twig', { content: '' });
      expect(await thresholdsOfDodo(restored), 'told once').to.deep.equal([90, 80]);

      expect(await restored.audit('--verify')).to.deep.include({ code: 0 });
      expect(await restored.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
    } finally {
      await restored.remove();
    }
  });

  it('keeps the vault key in a file of its own that nobody else can read', async () => {
    const key = join(whole(), 'keys', 'vault.key');
    expect((await stat(key)).mode & 0o777).to.equal(0o600);
    expect((await stat(whole())).mode & 0o777).to.equal(0o700);
    expect(await readFile(key, 'utf8')).to.equal(await readFile(join(origin.dataDir, 'vault.key'), 'utf8'));
  });

  it('refuses to write over anything, and to restore over anything', async () => {
    const again = await origin.run(BACK_UP, whole());
    expect(again).to.deep.include({ code: 2 });
    expect(again.stderr).to.contain('is there already');
    const over = await origin.run(RESTORE, whole());
    expect(over).to.deep.include({ code: 2 });
    expect(over.stderr).to.contain('is not empty');
  });

  it('says so where the folder cannot be made', async () => {
    const nowhere = await origin.run(BACK_UP, '/proc/tallyforge/whole');
    expect(nowhere).to.deep.include({ code: 2 });
    expect(nowhere.stderr).to.match(/^\/proc\/tallyforge\/whole.unfinished cannot be made: .*\n$/);
  });

  it('leaves the keys out where that is wanted, and takes no others', async () => {
    const made = await origin.run(BACK_UP, whole('bare'), '--without-keys');
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.contain("does NOT hold the vault's key");
    expect(await readdir(whole('bare'))).to.not.include('keys');

    const wrong = await Installation.create({ VAULT_KEY: Buffer.alloc(32).toString('base64') });
    expect((await wrong.run(RESTORE, whole('bare'))).stderr).to.contain(
      'not the key that the back-up was made with',
    );
    await wrong.remove();
    const none = await Installation.create();
    expect((await none.run(RESTORE, whole('bare'))).stderr).to.contain('set VAULT_KEY');
    await none.remove();
    const given = { VAULT_KEY: (await readFile(join(origin.dataDir, 'vault.key'), 'utf8')).trim() };
    const right = await Installation.create(given);
    const { code, stderr } = await right.run(RESTORE, whole('bare'));
    expect(code, stderr).to.equal(0);
    await right.remove();
  });

  it('takes nothing that is not as it was written, and no half', async () => {
    const target = await Installation.create();
    const refusal = async () => (await target.run(RESTORE, whole('bare'))).stderr;
    const log = join(whole('bare'), 'database', 'events.log.copy.gz');
    await appendFile(log, 'x');
    expect(await refusal()).to.contain('events.log.copy.gz is not what was written');
    await rm(log);
    expect(await refusal()).to.contain('events.log.copy.gz is missing');
    await writeFile(join(whole('bare'), 'manifest.json'), '{"format"');
    expect(await refusal()).to.contain('manifest.json is not what was written: copy the back-up anew');
    await writeFile(join(whole('bare'), 'manifest.json'), '{"format":2}');
    expect(await refusal()).to.contain('cannot be read by this release: take the one that made it');
    await rm(join(whole('bare'), 'manifest.json'));
    expect(await refusal()).to.contain('is not a whole back-up');
    await symlink('manifest.json', join(whole('bare'), 'manifest.json')); // root too cannot read it
    expect(await refusal()).to.contain('cannot be read: run this as a user who may');
    expect(await readdir(target.dataDir)).to.deep.equal([]);
    await target.remove();
  });

  it('leaves alone what somebody began to serve while the back-up was read', async () => {
    const target = await dataDir();
    const refused = rejection(
      restore(whole(), readConfig({ DATA_DIR: target.path }), (line) => {
        if (line.endsWith('files are what was written')) writeFileSync(join(target.path, 'vault.key'), '');
      }),
    );
    expect(await refused)
      .to.have.property('message')
      .that.contains('is not empty');
    expect(await readdir(target.path)).to.have.members(['start.lock', 'vault.key']);
    await target.remove();
  });

  it('leaves DATA_DIR as it was where the database is in use, and takes it when that is another', async () => {
    const target = await dataDir();
    const database = await testDatabase();
    const used = await testDatabase();
    const client = new pg.Client(used.url);
    await client.connect();
    await client.query('create schema vault');
    await client.end();
    const into = ({ url }: { readonly url: string }) =>
      restore(whole(), readConfig({ DATA_DIR: target.path, DATABASE_URL: url }), () => undefined);
    expect(await rejection(into(used)))
      .to.have.property('message')
      .that.contains('it has the schemas vault');
    expect(await readdir(target.path)).to.deep.equal([]);
    expect(await into(database)).to.deep.include({ open: [] });
    await database.drop();
    await used.drop();
    await target.remove();
  });

  it('keeps servers and scripts away from what a restore that was cut off has left', async () => {
    const target = await Installation.create();
    await writeFile(join(target.dataDir, 'restore.unfinished'), '');
    const started = target.launch();
    await started.ended();
    expect(started.output()).to.contain('holds a part of a back-up');
    expect((await target.audit('--verify')).stderr).to.contain('holds a part of a back-up');
    await target.remove();
  });
});

/** Tells a hook something that cannot be sent, once and for all: local networks are shut. */
async function deliver(installation: Installation): Promise<void> {
  const { admin } = installation;
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' };
  await admin.post('/repos/root/kept/hooks', { type: 'forgejo', active: true, events: ['fork'], config });
  await admin.post('/orgs', { username: 'forks' });
  await admin.post('/repos/root/kept/forks', { organization: 'forks' });
  await until(async () => (await deliveriesOf(installation)).some(({ status }) => status === 'failed'));
}

async function deliveriesOf({ admin }: Installation): Promise<{ readonly status: string }[]> {
  const [hook] = (await admin.get('/repos/root/kept/hooks')).json as { id: number }[];
  return (await admin.get(`/repos/root/kept/hooks/${hook?.id}/deliveries`)).json as { status: string }[];
}

/** Somebody whose limit is reached by nine tenths. */
async function fillUp(installation: Installation): Promise<void> {
  const { admin } = installation;
  const dodo = { username: 'dodo', email: 'dodo@example.org', password: 'all have won' };
  await admin.post('/admin/users', dodo);
  await admin.put('/admin/quota/groups/starter/users/dodo');
  await admin.post('/admin/users/dodo/repos', { name: 'nest', auto_init: true });
  await admin.post('/repos/dodo/nest/contents/egg', { content: randomBytes(950_000).toString('base64') });
  expect(await thresholdsOfDodo(installation)).to.deep.equal([90, 80]);
}

async function thresholdsOfDodo({ admin }: Installation): Promise<unknown[]> {
  const { json } = await admin.get('/admin/quota/thresholds?user=dodo');
  return (json as { percent: number }[]).map(({ percent }) => percent);
}

interface Written {
  /** Titles by number. */
  readonly issues: ReadonlyMap<number, string>;
  readonly commits: readonly string[];
}

/** Opens issues and pushes commits, one after the other, until it is stopped. */
class Traffic {
  readonly #issues = new Map<number, string>();
  readonly #commits: string[] = [];
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(
    private readonly installation: Installation,
    private readonly client: GitClient,
  ) {
    this.#ended = this.#run();
  }

  get written(): Written {
    return { issues: new Map(this.#issues), commits: [...this.#commits] };
  }

  async hasWritten(count: number): Promise<void> {
    while (this.#commits.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    for (let nth = 1; !this.#isStopped; nth++) {
      const title = `issue ${nth}`;
      const { json } = await this.installation.admin.post('/repos/root/kept/issues', { title });
      const { number } = json as { number?: number };
      if (number !== undefined) this.#issues.set(number, title);
      const commit = await this.client.commit('kept', { 'file.txt': `${nth}\n` });
      await this.client.git(['push', '--quiet'], { in: 'kept' });
      this.#commits.push(commit);
    }
  }
}

function remote({ address }: Installation, name: string): string {
  const url = new URL(`${address}/root/${name}.git`);
  url.username = ADMIN.username;
  url.password = encodeURIComponent(ADMIN.password);
  return url.href;
}
