import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../src/commands/handle.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/connections.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { withPostgres } from '../../src/postgres/lease.js';
import { vaultKey } from '../../src/start/vault-key.js';
import { parseJson } from '../../src/values/json.js';
import { runProgram } from '../support/process.js';
import { Installation } from '../support/processes/installation.js';

describe('npm run audit', () => {
  let installation: Installation;
  let alice: number;
  /** Before Alice used more than she may. */
  let innocent: number;

  before(async () => {
    installation = await Installation.create();
    await installation.start();
    const { admin } = installation;
    const user = { username: 'Alice', email: 'alice@example.org', password: 'correct horse' };
    alice = ((await admin.post('/admin/users', user)).json as { id: number }).id;
    const rules = [{ name: '1, "small"', limit: 10, subjects: ['size:all'] }];
    await admin.post('/admin/quota/groups', { name: 'starter', rules });
    const { headers } = await admin.put('/admin/quota/groups/starter/users/alice');
    innocent = Number(headers.get('x-tallyforge-position'));
    await recordUsage(installation, alice, 11n);
    expect((await admin.post('/user/repos', { name: 'notes', auto_init: true })).status).to.equal(201);
  });
  after(() => installation.remove());

  it('tells who is over a limit, with status 1, beside a running server', async () => {
    const { code, stdout } = await installation.audit('--user', 'alice');
    expect(code).to.equal(1);
    expect(stdout).to.match(new RegExp(`^alice \\(account ${alice}\\) as of position \\d+\n`));
    expect(stdout).to.match(/^starter +1, "small" +size:all +10 +11 +OVER$/m);
    expect(stdout).to.match(/^would be refused: size:repos:public, /m);
  });

  it('tells how it was at a position, with status 0 within every limit', async () => {
    const { code, stdout } = await installation.audit('--user', 'ALICE', '--as-of', String(innocent));
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^starter +1, "small" +size:all +10 +0$/m)
      .and.include('nothing would be refused');
  });

  it('is JSON or CSV for programs', async () => {
    const json = await installation.audit('--user', 'alice', '--as-of', String(innocent), '--json');
    expect(json.code).to.equal(0);
    expect(parseJson(json.stdout)).to.deep.include({
      user: 'alice',
      account_id: alice,
      as_of: { position: innocent, time: null },
      groups_from: 'account',
      rules: [
        { group: 'starter', rule: '1, "small"', subjects: ['size:all'], limit: 10, used: 0, over: false },
      ],
      refused: [],
    });
    const csv = await installation.audit('--user', 'alice', '--csv');
    expect(csv.code).to.equal(1);
    expect(csv.stdout).to.match(
      /^user,position,group,rule,subjects,limit,used,over\r\nalice,\d+,starter,"1, ""small""",size:all,10,11,true\n$/,
    );
  });

  it('answers status 2 where it has no answer, and says why', async () => {
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await installation.audit(...args);
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await refused('--user', 'nobody')).to.match(
      /there was no user or organization nobody .*: GET .* --as-of$/m,
    );
    expect(await refused('--user', 'alice', '--as-of', '2001-01-01T00:00:00Z')).to.include('at that moment');
    expect(await refused('--user', 'alice', '--as-of', 'yesterday')).to.include('a position or an RFC 3339');
    expect(await refused('--user', 'alice', '--json', '--csv')).to.include('--csv');
    expect(await refused()).to.include('--user <name> or --verify');
    for (const [option, ...value] of [['--user', 'alice'], ['--as-of', '1'], ['--csv']] as const)
      expect(await refused('--verify', option, ...value))
        .to.include('--verify')
        .and.include(option);
    expect(await refused('--colour'))
      .to.include('unknown option')
      .and.include('npm run audit -- --help');
  });

  it('leaves read models as they are where --verify is asked, whatever stands beside it, and builds each once', async () => {
    for (const other of ['--rollback', '--drop-old']) {
      const { code, stderr } = await installation.rebuild('quota', '--verify', other);
      expect([code, stderr]).to.deep.equal([
        2,
        `error: option '--verify' cannot be used with option '${other}'\nnpm run rebuild -- --help tells what it takes.\n`,
      ]);
    }
    expect(await installation.rebuild('quota', 'quota', '--verify')).to.deep.include({ code: 0 });
  });

  it('has npm run erase take one id', async () => {
    const { code, stderr } = await installation.run('src/erasure/main.js', '--id', '98', '--id', '99');
    expect(code).to.equal(2);
    expect(stderr).to.include('one id at a time');
  });

  it('has npm run rehearse beside it, which tells what other limits would come to', async () => {
    const { dataDir } = installation;
    const proposal = join(dataDir, 'proposal.json');
    await writeFile(proposal, '{"rules":[{"name":"1, \\"small\\"","limit":9,"subjects":["size:all"]}]}');
    const { code, stdout } = await installation.rehearse(proposal);
    expect(code).to.equal(1);
    expect(stdout)
      .to.match(/^Alice +starter +1, "small" +9 +11 +2$/m)
      .and.include('0 operations would have been refused');
    const json = await installation.rehearse(proposal, '--json', '--days', '90');
    expect(parseJson(json.stdout)).to.deep.include({ days: 90, over_total: 1, refused_total: 0 });
    await writeFile(
      proposal,
      '{"rules":[{"name":"none","limit":0,"subjects":["size:all"]}],"groups":[{"name":"shut","rules":["none"],"members":["root"]}]}',
    );
    const { stdout: refusing } = await installation.rehearse(proposal);
    expect(refusing)
      .to.match(
        /^1 operations would have been refused:\nwhen +account +subject +size +used +limit +rule +group\n/m,
      )
      .and.match(/^\d{4}-\S+Z +root +size:repos:public +\d+ +0 +0 +none +shut$/m);
    const { stdout: refusingJson } = await installation.rehearse(proposal, '--json');
    expect(parseJson(refusingJson)).to.have.nested.property('refused[0].user.name', 'root');
    await writeFile(proposal, '{"days":30}');
    const { stdout: inFile } = await installation.rehearse(proposal, '--json');
    expect(parseJson(inFile)).to.deep.include({ days: 30, over_total: 1 });
    await writeFile(proposal, '\uFEFF{}');
    expect(await installation.rehearse(proposal)).to.deep.include({ code: 1 });
    await writeFile(proposal, '{"default_groups":[],"groups":[{"name":"starter","rules":[]}]}');
    expect(await installation.rehearse(proposal)).to.deep.include({ code: 0 });
    const refused = async (content: string, ...args: string[]) => {
      await writeFile(proposal, content);
      const { code, stdout, stderr } = await installation.rehearse(proposal, ...args);
      expect({ code, stdout }, content).to.deep.equal({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await refused('{')).to.match(/is not JSON: docs\/quota-history.md shows/);
    expect(await refused('{"rules":[{"name":"x"}]}')).to.include('rules.0.limit');
    expect(await refused('{"rulez":[]}')).to.include('rulez');
    expect(await refused('{"days":91}')).to.include('days');
    expect(await refused('{"default_groups":["none"]}')).to.include('"none" does not exist');
    expect(await refused('{}', '--days', '91')).to.include('1 to 90');
    const absent = await installation.rehearse(join(dataDir, 'nothing'));
    expect(absent.code).to.equal(2);
    expect(absent.stderr).to.match(/nothing cannot be read: .*: name a file\. docs\//);
  });

  it('goes on without a reader, and says so where what it tells cannot be written', async () => {
    const audit = fileURLToPath(new URL('../../src/audit/main.js', import.meta.url));
    const env = { PATH: process.env.PATH, DATA_DIR: installation.dataDir };
    const unread = spawn(process.execPath, [audit, '--verify'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    unread.stdout.destroy();
    unread.stderr.destroy();
    expect(await once(unread, 'exit')).to.deep.equal([0, null]);

    const full = await open('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [audit, '--verify'], {
      env,
      stdio: ['ignore', full.fd, 'pipe'],
      encoding: 'utf8',
    });
    await full.close();
    expect(status).to.equal(2);
    expect(stderr).to.match(/^what was to be printed here was not: ENOSPC.*\n$/);
  });

  it('takes no other key than that of the vault, makes none, and nothing of a part of a back-up', async () => {
    const file = (name: string) => join(installation.dataDir, name);
    const saidBy = async (env: NodeJS.ProcessEnv = {}) => {
      const said: string[] = [];
      for (const [path, argument] of [
        ['src/audit/main.js', '--verify'],
        ['src/backup/main.js', file('never-made')],
      ] as const) {
        const program = runProgram(path, [argument], { DATA_DIR: installation.dataDir, ...env });
        expect((await program.ended()).code, program.output()).to.equal(2);
        said.push(program.output());
      }
      return said;
    };
    for (const said of await saidBy({ VAULT_KEY: '22'.repeat(32) }))
      expect(said).to.match(/^VAULT_KEY .* is not the key that the vault was sealed with/);

    await rename(file('vault.key'), file('away'));
    for (const said of await saidBy()) expect(said).to.match(/^there is no .*vault.key: /);
    expect(existsSync(file('vault.key'))).to.equal(false);
    await rename(file('away'), file('vault.key'));

    await writeFile(file('restore.unfinished'), '');
    for (const said of await saidBy()) expect(said).to.include('holds a part of a back-up');
    await rm(file('restore.unfinished'));
  });

  it('takes no DATA_DIR that it cannot look into for an empty one', async () => {
    const folder = join(installation.dataDir, 'in-circles');
    await symlink('in-circles', folder); // root too cannot follow it
    const program = runProgram('src/audit/main.js', ['--verify'], { DATA_DIR: folder });
    expect((await program.ended()).code).to.equal(2);
    expect(program.output())
      .to.contain('cannot be read: ')
      .and.contain('as the user that the server runs as');
    await rm(folder);
  });

  it('needs no server: it starts the database for itself, and leaves nothing running', async () => {
    const beside = await installation.audit('--user', 'alice', '--json');
    await installation.stop();
    expect(await installation.audit('--user', 'alice', '--json')).to.deep.equal(beside);
    expect(await installation.audit('--verify')).to.deep.include({ code: 0, stderr: '' });
    const { code, stderr } = await installation.rebuild('nothing');
    expect(code).to.equal(2);
    expect(stderr).to.include('there is no projection nothing: name some of accounts, ');
    await installation.stop();
  });
});

/** Records what an account stores, as repositories do. */
async function recordUsage({ dataDir }: Installation, accountId: number, bytes: bigint): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir });
  await withPostgres(config, async (databaseUrl) => {
    const connections = await connect(
      { ...config, databaseUrl, vaultKey: await vaultKey(dataDir) },
      { applicationName: 'test', onError: () => undefined },
    );
    const at = new Date().toISOString();
    const data = { objectId: '42', subject: 'size:git:lfs', bytes: String(bytes), groups: [], at } as const;
    await new CommandHandler({ log: connections.log }).handle(
      StorageLedger,
      accountId,
      { type: 'RecordUsage', data },
      { commandId: v4(), at },
    );
    await connections.close();
  });
}
