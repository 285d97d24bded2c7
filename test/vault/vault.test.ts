import { hash } from '@node-rs/argon2';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Changes } from '../../src/vault/changes.js';
import { Credentials } from '../../src/vault/credentials.js';
import { DamagedKey } from '../../src/vault/people.js';
import type { Vault } from '../../src/vault/vault.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

const PASSWORD = 'correct horse';
const open = { active: true, prohibited: false, mustChangePassword: false };

describe('the vault', () => {
  let vaults: TestVaults;
  let vault: Vault;
  let other: Vault;

  before(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
    other = await vaults.open();
  });
  after(() => vaults.close());

  const stored = async (text: string) => JSON.stringify(await vaults.database.rows(text));

  describe('credentials', () => {
    it('know the password that was set last', async () => {
      await vault.credentials.set(1, 'first password', open);
      await vault.credentials.set(1, PASSWORD, open);
      expect(await vault.credentials.verify(1, PASSWORD)).to.equal(true);
      expect(await vault.credentials.verify(1, 'first password')).to.equal(false);
      expect(await vault.credentials.verify(1, '')).to.equal(false);
    });
    it('are checked for accounts that do not exist too, and never fit', async () => {
      expect(await vault.credentials.verify(undefined, 'decoy')).to.equal(false);
      expect(await vault.credentials.verify(404, PASSWORD)).to.equal(false);
    });
    it('hold no password', async () => {
      await vault.credentials.set(1, PASSWORD, open);
      const rows = await stored('select * from vault.credentials');
      expect(rows).not.to.include(PASSWORD);
      expect(rows).to.include('$argon2id$');
    });
    it('say how the account stands', async () => {
      await vault.credentials.set(2, PASSWORD, { active: false, prohibited: true, mustChangePassword: true });
      expect(await vault.credentials.state(2)).to.deep.equal({
        active: false,
        prohibited: true,
        mustChangePassword: true,
      });
      expect(await vault.credentials.state(404)).to.equal(undefined);
    });
    it('are closed by an edit that is announced, and opened by none before it is settled', async () => {
      const closed = { active: false, prohibited: true, mustChangePassword: true };
      for (const [before, edit] of [
        [closed, open],
        [open, closed],
      ] as const) {
        await vault.credentials.set(7, PASSWORD, before);
        await vault.credentials.announce(7, { id: randomUUID(), ...edit });
        expect(await vault.credentials.state(7)).to.deep.equal(closed);
      }
    });
    it('note the last sign-in, to the minute', async () => {
      await vault.credentials.set(3, PASSWORD, open);
      await vault.credentials.recordSignIn(3);
      const first = (await vault.credentials.state(3))?.lastSignIn;
      expect(first).to.be.instanceOf(Date);
      await other.credentials.recordSignIn(3);
      expect((await vault.credentials.state(3))?.lastSignIn).to.deep.equal(first);
    });
    it('hash again at sign-in what was hashed with other parameters', async () => {
      await vault.credentials.set(4, PASSWORD, open);
      const cheap = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
      const setHash = `update vault.credentials set password_hash = '${cheap}' where account_id = 4`;
      await vaults.database.rows(setHash);
      expect(await vault.credentials.verify(4, 'wrong')).to.equal(false);
      expect(await stored('select * from vault.credentials')).to.include(cheap);
      expect(await vault.credentials.verify(4, PASSWORD)).to.equal(true);
      expect(await stored('select * from vault.credentials')).not.to.include(cheap);
      expect(await vault.credentials.verify(4, PASSWORD)).to.equal(true);
    });
    it('keep a password that is set while another one is hashed again', async () => {
      await vault.credentials.set(6, PASSWORD, open);
      const cheap = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
      await vaults.database.rows(
        `update vault.credentials set password_hash = '${cheap}' where account_id = 6`,
      );
      let setting: Promise<void> | undefined;
      const meanwhile: ConstructorParameters<typeof Credentials>[0] = {
        async rows(statement) {
          const rows = await vaults.database.rows(statement);
          await (setting ??= other.credentials.set(6, 'battery staple', open));
          return rows as never;
        },
        transaction: (work) => vaults.database.transaction(work),
      };
      await new Credentials(meanwhile, new Changes()).verify(6, PASSWORD);
      expect(await vault.credentials.verify(6, 'battery staple')).to.equal(true);
    });
    it('are gone once removed', async () => {
      await vault.credentials.set(5, PASSWORD, open);
      await vault.credentials.remove(5);
      expect(await vault.credentials.verify(5, PASSWORD)).to.equal(false);
    });
  });

  describe('tokens', () => {
    const token = { tokenId: 10, accountId: 1, scopes: ['read:user', 'write:admin'] };

    it('are found by their secret, which is 40 hexadecimal digits', async () => {
      const secret = await vault.tokens.create(token);
      expect(secret).to.match(/^[0-9a-f]{40}$/);
      expect(await other.tokens.find(secret)).to.deep.equal(token);
    });
    it('are not found by anything else', async () => {
      const secret = await vault.tokens.create({ ...token, tokenId: 11 });
      const flipped = (secret.startsWith('0') ? '1' : '0') + secret.slice(1); // the last eight are right
      for (const wrong of [
        flipped,
        secret.toUpperCase() + 'x',
        `${secret}0`,
        secret.slice(1),
        '',
        "' or true",
      ])
        expect(await vault.tokens.find(wrong)).to.equal(undefined);
    });
    it('leave no secret behind', async () => {
      const secret = await vault.tokens.create({ ...token, tokenId: 12 });
      expect(await stored('select * from vault.tokens')).not.to.include(secret);
    });
    it('end when they are removed', async () => {
      const secret = await vault.tokens.create({ ...token, tokenId: 13 });
      await vault.tokens.remove(13);
      await vault.tokens.remove(13);
      expect(await other.tokens.find(secret)).to.equal(undefined);
    });
    it('are noted as used, many in one statement', async () => {
      const short = await vaults.open();
      await short.tokens.create({ ...token, tokenId: 14 });
      await short.tokens.create({ ...token, tokenId: 15 });
      for (let n = 0; n < 50; n++) for (const id of [14, 15]) short.tokens.touch(id);
      await short.close();
      const used = 'select 1 from vault.tokens where token_id in (14, 15) and last_used is not null';
      expect(await vaults.database.rows(used)).to.have.length(2);
    });
  });

  describe('keys of people', () => {
    it('take no more memory than they are long', async () => {
      const key = await vault.people.ensure(9);
      expect([key?.length, key?.buffer.byteLength]).to.deep.equal([32, 32]);
    });
    it('are made once, by whoever is first', async () => {
      const keys = await Promise.all([vault, other, vault, other].map(({ people }) => people.ensure(1)));
      expect(new Set(keys.map((key) => key?.toString('hex'))).size).to.equal(1);
      expect(keys[0]).to.have.length(32);
    });
    it('are found for many at once, those there are', async () => {
      const [one, two] = [await vault.people.ensure(1), await vault.people.ensure(2)];
      expect(await other.people.keysFor([1, 2, 404])).to.deep.equal(
        new Map([
          [1, one],
          [2, two],
        ]),
      );
    });
    it('are stored encrypted', async () => {
      const key = await vault.people.ensure(3);
      expect(await stored(`select encode(sealed, 'hex') from vault.person_keys`)).not.to.include(
        key?.toString('hex'),
      );
    });
    it('that are damaged are not taken for erased ones', async () => {
      await other.people.ensure(6);
      await vaults.database.rows(
        'update vault.person_keys set sealed = sealed || sealed where account_id = 6',
      );
      const asking = vault.people.keysFor([1, 6]);
      expect(await rejection(asking)).to.be.instanceOf(DamagedKey);
    });
    it('are gone for good once shredded, in other processes too', async () => {
      await vault.people.ensure(4);
      await other.people.ensure(4);
      const heard = nextChange(other, 4);
      await vault.people.shred(4);
      expect(await vault.people.ensure(4)).to.equal(undefined);
      await heard;
      expect(await other.people.keysFor([4])).to.deep.equal(new Map());
      expect(await other.people.ensure(4)).to.equal(undefined);
    });
    it('of a person who never had one can be shredded', async () => {
      await vault.people.shred(5);
      expect(await vault.people.ensure(5)).to.equal(undefined);
    });
  });

  describe('answers', () => {
    const answer = { bodyHash: 'b', status: 201, headers: { Location: '/x' }, body: '{"sha1":"secret"}' };

    it('are given again to the same key', async () => {
      await vault.answers.store('key 1', answer);
      expect(await other.answers.find('key 1')).to.deep.equal(answer);
      expect(await other.answers.find('key 2')).to.equal(undefined);
    });
    it('are stored encrypted', async () => {
      await vault.answers.store('key 1', answer);
      expect(await stored(`select encode(sealed, 'escape') from vault.answers`)).not.to.include('secret');
    });
    it('are kept for a day', async () => {
      await vault.answers.store('key 1', answer);
      const age = `update vault.answers set stored_at = now() - interval '25 hours'`;
      await vaults.database.rows(age);
      expect(await vault.answers.find('key 1')).to.equal(undefined);
      await vault.answers.store('key 2', answer);
      expect(await vaults.database.rows('select key_hash from vault.answers')).to.deep.equal([
        { key_hash: 'key 2' },
      ]);
      await vaults.database.rows(age);
      await vault.answers.store('key 2', answer);
      expect(await vault.answers.find('key 2')).to.deep.equal(answer);
      await vaults.database.rows(age);
      await vault.answers.purge();
      expect(await vaults.database.rows('select key_hash from vault.answers')).to.deep.equal([]);
    });
  });

  describe('the lock of a key', () => {
    it('lets one piece of work at a time run, in all processes', async () => {
      let running = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        most = Math.max(most, ++running);
        await vaults.database.rows('select pg_sleep(0.002)');
        running--;
      };
      await Promise.all([vault, other, vault, other, vault].map((one) => one.withKeyLock('key', work)));
      expect(most).to.equal(1);
    });
    it('does not hold up other keys', async () => {
      await vault.withKeyLock('key', async () => {
        await vault.withKeyLock('another', () => Promise.resolve());
        await other.withKeyLock('a third', () => Promise.resolve());
      });
    });
    it('is given back when the work fails', async () => {
      await rejection(vault.withKeyLock('key', () => Promise.reject(new Error('failed'))));
      expect(await other.withKeyLock('key', () => Promise.resolve('done'))).to.equal('done');
    });
    it('ends with the process that has it', async () => {
      const doomed = await vaults.open();
      const held = doomed.withKeyLock('key', () => new Promise<never>(() => undefined));
      void held;
      await doomed.close();
      expect(await other.withKeyLock('key', () => Promise.resolve('done'))).to.equal('done');
    });
  });

  describe('changes', () => {
    it('are told here at once', async () => {
      const told: (number | 'all')[] = [];
      const end = vault.onChange((accountId) => told.push(accountId));
      await vault.credentials.set(20, PASSWORD, open);
      await vault.tokens.create({ tokenId: 20, accountId: 20, scopes: ['all'] });
      await vault.tokens.remove(20);
      await vault.credentials.remove(20);
      end();
      expect(told.filter((accountId) => accountId === 20)).to.have.length.of.at.least(3);
      const before = told.length;
      await vault.credentials.remove(20);
      expect(told).to.have.length(before);
    });
    const edit = '5b0f1c39-6a53-4f4e-8d57-1f7f7a1f5c11';
    const changes: Readonly<Record<string, (accountId: number) => Promise<unknown>>> = {
      'a password': (id) => vault.credentials.set(id, PASSWORD, open),
      'an edit that is announced': (id) => vault.credentials.announce(id, { id: edit, prohibited: true }),
      'one that is settled': (id) => vault.credentials.settle(id, { ...open, edits: [edit] }),
      'the end of a token': (id) => vault.tokens.remove(id),
      'the end of all tokens': (id) => vault.tokens.removeAll(id),
      'the end of an account': (id) => vault.credentials.remove(id),
      'the end of a key': (id) => vault.people.shred(id),
    };
    for (const [index, [what, change]] of Object.entries(changes).entries())
      it(`are told to other processes: ${what}`, async () => {
        const id = 2100 + index;
        await vault.credentials.set(id, PASSWORD, open);
        await vault.tokens.create({ tokenId: id, accountId: id, scopes: ['all'] });
        await vault.people.ensure(id);
        await quiet(other, vault);
        const heard = nextChange(other, id);
        await change(id);
        await heard;
      });
    it('may have been missed when the connection breaks, which is told; later ones are heard again', async () => {
      // Both may have been told before this test hears that the connection is ended.
      const brokenAndMended = nextChange(other, 'all', 2);
      await other.withKeyLock('mine', () =>
        vaults.database.rows(`select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`),
      );
      await brokenAndMended;
      const heard = nextChange(other, 22);
      await vault.credentials.set(22, PASSWORD, open);
      await heard;
    });
  });

  it('names values so that the names tell nothing, the same in every process', () => {
    expect(vault.digest('e-mail', 'a@b.c')).to.match(/^[0-9a-f]{64}$/);
    expect(vault.digest('e-mail', 'a@b.c')).to.equal(other.digest('e-mail', 'a@b.c'));
    expect(vault.digest('e-mail', 'a@b.c')).not.to.equal(vault.digest('name', 'a@b.c'));
  });
});

/** Resolves when one vault has heard of all that the other has told so far. */
async function quiet(vault: Vault, teller: Vault): Promise<void> {
  const heard = nextChange(vault, 20);
  await teller.credentials.set(20, PASSWORD, open);
  await heard;
}

/** Resolves when the vault tells of a change of this account, or of the last of several. */
function nextChange(vault: Vault, accountId: number | 'all', times = 1): Promise<void> {
  let left = times;
  return new Promise((resolve) => {
    const end = vault.onChange((changed) => {
      if (changed !== accountId || --left > 0) return;
      end();
      resolve();
    });
  });
}
