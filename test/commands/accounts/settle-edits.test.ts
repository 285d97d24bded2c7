import { expect } from 'chai';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import { editAccount, type AccountEdit } from '../../../src/commands/accounts/edit-account.js';
import { settleEdits } from '../../../src/commands/accounts/settle-edits.js';
import { secretOwners } from '../../../src/commands/secret-owners.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../../src/domain/accounts/administrators.js';
import { EventStoreUnavailable } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import type { Credentials } from '../../../src/vault/credentials.js';
import type { Vault } from '../../../src/vault/vault.js';
import { accountProcess } from '../../support/account-process.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';
import { testVaults, type TestVaults } from '../../support/vaults.js';

const at = '2026-01-01T00:00:00Z';
const OLD = 'the old password';
const NEW = 'the new password';
const open = { active: true, prohibited: false, mustChangePassword: false };

describe('an edit of an account of which the vault is told', () => {
  let vaults: TestVaults;
  let vault: Vault;
  let store: MemoryEventStore;
  let people: TestPeople;
  let count = 0;

  before(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
  });
  after(() => vaults.close());
  beforeEach(() => {
    store = new MemoryEventStore();
    people = new TestPeople();
  });

  const context = () => ({ commandId: `command ${++count}`, at });

  /** A process on the same store and vault; `step` is called before, and after, each thing that it does there. */
  function process(step: () => void = () => undefined) {
    const steps = { beforeAppend: step, afterAppend: step, beforeRead: step };
    const services = accountProcess({ store: new InterceptedStore(store, steps), people });
    const stepping = <T>(work: () => Promise<T>): Promise<T> =>
      Promise.resolve().then(step).then(work).finally(step);
    const { credentials, sessions } = vault;
    const stepped: Pick<Credentials, 'announce' | 'isAnnounced' | 'settle' | 'forget'> = {
      announce: (...told) => stepping(() => credentials.announce(...told)),
      isAnnounced: (id) => stepping(() => credentials.isAnnounced(id)),
      settle: (...told) => stepping(() => credentials.settle(...told)),
      forget: (...told) => stepping(() => credentials.forget(...told)),
    };
    return { ...services, vault: { ...services.vault, sessions, credentials: stepped } };
  }

  async function account(): Promise<number> {
    const name = `user${++count}`;
    const user = { name, email: `${name}@example.org`, password: OLD };
    const { accountId } = await createUser(accountProcess({ store, people }), user, context());
    await vault.credentials.set(accountId, OLD, open);
    return accountId;
  }

  const announced = (accountId: number) => vault.credentials.isAnnounced(accountId);
  const load = async (accountId: number) => (await process().commands.load(Account, accountId)).state;
  const makeOlder = () =>
    vaults.database.rows(`
      update vault.account_edits set unproven_since = unproven_since - interval '61 minutes'`);
  const sweep = () => vault.unproven.settle(secretOwners(process()), new AbortController().signal);
  const passwordOf = async (accountId: number) => {
    const verified = [];
    for (const password of [OLD, NEW])
      if (await vault.credentials.verify(accountId, password)) verified.push(password);
    return verified.join();
  };

  for (const [what, { before, asked }] of Object.entries({
    'opens it': { before: { mustChangePassword: true }, asked: { mustChangePassword: false } },
    'closes it': { before: {}, asked: { prohibitLogin: true } },
    'changes nothing else of its credentials': { before: {}, asked: {} },
  }))
    it(`that ${what} is done whole or not at all, wherever it is cut off`, async () => {
      const seen = new Set<boolean>();
      for (let life = 1, survived = false; !survived; life++) {
        const accountId = await account();
        await editAccount(process(), accountId, { settings: before }, context());
        const closedBefore = 'mustChangePassword' in before;
        let steps = 0;
        const dying = () => {
          if (++steps > life) throw new EventStoreUnavailable('killed');
        };
        const email = `new${accountId}@example.org`;
        const edit: AccountEdit = { settings: asked, profile: { email }, password: NEW };
        survived = await editAccount(process(dying), accountId, edit, context()).then(
          () => true,
          () => false,
        );
        // As a sign-in does.
        await settleEdits(process(), accountId);
        const done = (await load(accountId)).profile.email === email;
        seen.add(done);
        expect(await passwordOf(accountId), `after ${life} steps`).to.equal(done ? NEW : OLD);
        if (!done) {
          await makeOlder();
          await sweep();
        }
        const closes = 'prohibitLogin' in asked;
        expect(await vault.credentials.state(accountId), `after ${life} steps`).to.deep.equal({
          active: true,
          prohibited: done && closes,
          mustChangePassword: closedBefore && !done,
        });
        expect(await announced(accountId), `after ${life} steps`).to.equal(false);
        expect(await passwordOf(accountId)).to.equal(done ? NEW : OLD);
      }
      expect([...seen]).to.have.members([false, true]);
    });

  /** An edit of which nobody knows whether it came about: it did not. */
  const cutOff = async (accountId: number, edit: AccountEdit) => {
    const broken = new InterceptedStore(store, {
      beforeAppend: (stream) => {
        if (stream === `account-${accountId}`) throw new EventStoreUnavailable('cut off');
      },
    });
    const services = accountProcess({ store: broken, people });
    const own = { ...services.vault, credentials: vault.credentials, sessions: vault.sessions };
    expect(
      await rejection(editAccount({ ...services, vault: own }, accountId, edit, context())),
    ).to.be.instanceOf(EventStoreUnavailable);
  };

  it('keeps the account closed, where it was cut off, until it can come no more, whatever else is edited', async () => {
    const accountId = await account();
    await cutOff(accountId, { settings: { prohibitLogin: true }, password: NEW });
    await editAccount(process(), accountId, { settings: { active: true }, password: OLD }, context());
    expect(await vault.credentials.state(accountId)).to.deep.equal({ ...open, prohibited: true });
    expect(await passwordOf(accountId)).to.equal(OLD);
    await sweep();
    expect(await announced(accountId)).to.equal(true);
    await makeOlder();
    await sweep();
    expect(await vault.credentials.state(accountId)).to.deep.equal(open);
    expect(await announced(accountId)).to.equal(false);
    expect(await passwordOf(accountId)).to.equal(OLD);
  });

  it('leaves the last of several passwords in the log, in whichever order they are settled', async () => {
    const accountId = await account();
    const [one, two] = ['6d0f9e0c-4f59-4c1b-a5c6-f0d1d8a4d0e1', '0f3d9e0c-4f59-4c1b-a5c6-f0d1d8a4d0e2'];
    const { credentials } = vault;
    await credentials.announce(accountId, { id: one, password: OLD });
    await credentials.announce(accountId, { id: two, password: NEW });
    await credentials.settle(accountId, { ...open, edits: [one, two] });
    expect(await passwordOf(accountId)).to.equal(NEW);
    // Who had read the log before the second was there.
    await credentials.settle(accountId, { ...open, edits: [one] });
    expect(await passwordOf(accountId)).to.equal(NEW);
    await credentials.forget(accountId, { edits: [one, two] });
    expect(await announced(accountId)).to.equal(false);
  });

  it('leaves the password of the edit that came last, where two processes edit at once', async () => {
    const accountId = await account();
    const edits = { [OLD]: 'old', [NEW]: 'new' };
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Object.entries(edits).map(([password, fullName]) =>
          editAccount(process(), accountId, { profile: { fullName }, password }, context()),
        ),
      );
      const { fullName } = (await load(accountId)).profile;
      expect(await passwordOf(accountId)).to.equal(fullName === 'old' ? OLD : NEW);
      expect(await announced(accountId)).to.equal(false);
    }
  });

  it('ends the sessions of the old password when it is settled', async () => {
    const accountId = await account();
    const secret = (await vault.sessions.begin(accountId, OLD)) ?? '';
    const id = '6d0f9e0c-4f59-4c1b-a5c6-f0d1d8a4d0e1';
    await vault.credentials.announce(accountId, { id, password: NEW });
    expect(await vault.sessions.find(secret)).to.equal(accountId);
    await vault.credentials.settle(accountId, { ...open, edits: [id] });
    expect(await vault.sessions.find(secret)).to.equal(undefined);
  });

  it('goes with the credentials, and none is announced of who has none', async () => {
    const accountId = await account();
    await cutOff(accountId, { password: NEW });
    expect(await announced(accountId)).to.equal(true);
    await vault.credentials.remove(accountId);
    expect(await announced(accountId)).to.equal(false);
    await cutOff(accountId, { password: NEW });
    expect(await announced(accountId)).to.equal(false);
  });

  it('counts an administrator as the log has the account', async () => {
    const [one, two] = [await account(), await account()];
    const { commands } = process();
    for (const accountId of [one, two]) {
      const command = { type: 'AppointAdministrator', data: { accountId, at } } as const;
      await commands.handle(Administrators, ADMINISTRATORS, command, context());
    }
    await cutOff(two, { settings: { prohibitLogin: true } });
    const canAct = async () =>
      (await process().commands.load(Administrators, ADMINISTRATORS)).state.canAct.get(two);
    expect(await canAct()).to.equal(false);
    await makeOlder();
    await sweep();
    expect(await canAct()).to.equal(true);
    expect(await vault.credentials.state(two)).to.deep.equal(open);
  });
});
