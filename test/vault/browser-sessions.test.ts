import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.js';
import { Changes } from '../../src/vault/changes.js';
import { Credentials, type CredentialsEdit } from '../../src/vault/credentials.js';
import type { Vault } from '../../src/vault/vault.js';
import { testVaults, type TestVaults } from '../support/vaults.js';
import { waitingForLocks } from '../support/waiting-for-locks.js';

const PASSWORD = 'correct horse';
const open = { active: true, prohibited: false, mustChangePassword: false };

describe('sessions of browsers', () => {
  let vaults: TestVaults;
  let vault: Vault;
  let other: Vault;
  let accounts = 0;

  before(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
    other = await vaults.open();
  });
  after(() => vaults.close());

  const account = async () => {
    accounts += 1;
    await vault.credentials.set(accounts, PASSWORD, open);
    return accounts;
  };
  const begun = async (accountId: number) => {
    const secret = await vault.sessions.begin(accountId, PASSWORD);
    if (secret === undefined) throw new Error('no session');
    return secret;
  };
  /** An edit that is settled. */
  const edit = async (by: Vault, accountId: number, changes: Omit<CredentialsEdit, 'id'>) => {
    const id = randomUUID();
    await by.credentials.announce(accountId, { id, ...changes });
    await by.credentials.settle(accountId, { ...open, edits: [id] });
  };

  it('count in every process until they end', async () => {
    const id = await account();
    const secret = await begun(id);
    expect(await other.sessions.find(secret)).to.equal(id);
    await other.sessions.end(secret);
    expect(await vault.sessions.find(secret)).to.equal(undefined);
  });
  it('begin only with the password', async () => {
    const id = await account();
    expect(await vault.sessions.begin(id, 'another')).to.equal(undefined);
    expect(await vault.sessions.begin(404, PASSWORD)).to.equal(undefined);
  });
  it('are kept as hashes', async () => {
    const secret = await begun(await account());
    const rows = JSON.stringify(
      await vaults.database.rows('select encode(hash, $$escape$$) from vault.sessions'),
    );
    expect(rows).not.to.include(secret);
    expect(await vault.sessions.find('x'.repeat(43))).to.equal(undefined);
    expect(await vault.sessions.find('')).to.equal(undefined);
  });
  it('expire, and are dropped when another one begins', async () => {
    const id = await account();
    const secret = await begun(id);
    await vaults.database.rows(`update vault.sessions set expires_at = now() where account_id = ${id}`);
    expect(await vault.sessions.find(secret)).to.equal(undefined);
    await begun(await account());
    expect(
      await vaults.database.rows(`select 1 from vault.sessions where account_id = ${id}`),
    ).to.have.length(0);
  });
  it('are ten at most for an account: the oldest goes', async () => {
    const id = await account();
    const secrets = [];
    for (let count = 0; count < 11; count += 1) secrets.push(await begun(id));
    const found = await Promise.all(secrets.map((secret) => vault.sessions.find(secret)));
    expect(found).to.deep.equal([undefined, ...new Array<number>(10).fill(id)]);
  });

  describe('end at once', () => {
    for (const [why, change] of [
      ['when the password changes', { password: 'battery staple' }],
      ['when the account may not sign in', { prohibited: true }],
      ['when the account is no longer active', { active: false }],
      ['when the password must be changed', { mustChangePassword: true }],
    ] as const) {
      it(`${why}, and stay ended when that is taken back`, async () => {
        const id = await account();
        const secret = await begun(id);
        await edit(other, id, change);
        expect(await vault.sessions.find(secret)).to.equal(undefined);
        await edit(other, id, { password: PASSWORD });
        expect(await vault.sessions.find(secret)).to.equal(undefined);
      });
    }
    it('when the account is about to be closed', async () => {
      const id = await account();
      const secret = await begun(id);
      await other.credentials.announce(id, { id: randomUUID(), prohibited: true });
      expect(await vault.sessions.find(secret)).to.equal(undefined);
    });
    it('when the log has the account closed, which opens it again later', async () => {
      const id = await account();
      const secret = await begun(id);
      for (const prohibited of [true, false])
        await other.credentials.settle(id, { ...open, prohibited, edits: [] });
      expect(await vault.sessions.find(secret)).to.equal(undefined);
    });
    it('when the account goes', async () => {
      const id = await account();
      const secret = await begun(id);
      await other.credentials.remove(id);
      expect(await vault.sessions.find(secret)).to.equal(undefined);
    });
  });
  it('do not count where they began beside a change that had not seen them', async () => {
    const changes = [
      `password_hash = 'other'`,
      'active = false',
      'prohibited = true',
      'must_change_password = true',
    ];
    for (const change of changes) {
      const id = await account();
      const secret = await begun(id);
      await vaults.database.rows(`update vault.credentials set ${change} where account_id = ${id}`);
      expect(await vault.sessions.find(secret), change).to.equal(undefined);
    }
  });
  it('outlast what keeps nobody out', async () => {
    const id = await account();
    const secret = await begun(id);
    await edit(vault, id, open);
    expect(await vault.sessions.find(secret)).to.equal(id);
  });
  it('have a proof of their own, which tells nothing of the secret', async () => {
    const [one, another] = [await begun(await account()), await begun(await account())];
    expect(vault.sessions.proofOf(one)).to.equal(other.sessions.proofOf(one));
    expect(vault.sessions.proofOf(one)).not.to.equal(vault.sessions.proofOf(another));
    expect(vault.sessions.proofOf(one)).not.to.equal(one);
  });
  it('begin beside an edit that ends them, where the oldest has to go', async () => {
    const id = await account();
    for (let nth = 0; nth < 10; nth++) await begun(id);
    const database = vaults.connect();
    let beginning: Promise<string> | undefined;
    const meanwhile: Pick<Database, 'rows' | 'transaction'> = {
      rows: (statement) => database.rows(statement),
      transaction: (work) =>
        database.transaction((connection) =>
          work({
            async rows(statement) {
              const rows = await connection.rows(statement);
              await doneOrWaiting((beginning ??= begun(id))); // the account is locked
              return rows as never;
            },
          }),
        ),
    };
    await new Credentials(meanwhile, new Changes()).settle(id, { ...open, active: false, edits: [] });
    expect(await vault.sessions.find((await beginning) ?? '')).to.equal(undefined);
  });

  async function doneOrWaiting(work: Promise<unknown>): Promise<void> {
    const done = new AbortController();
    void work.finally(() => {
      done.abort();
    });
    while (!done.signal.aborted && (await waitingForLocks(vaults.database)) === 0) await sleep(10);
  }
});
