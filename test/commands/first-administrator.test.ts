import { expect } from 'chai';
import type { AccountServices } from '../../src/commands/accounts/create-account.js';
import {
  ensureFirstAdministrator,
  LogMissing,
  VaultMissing,
} from '../../src/commands/accounts/first-administrator.js';
import { ADMINISTRATORS, Administrators } from '../../src/domain/accounts/administrators.js';
import { START, type EventStore } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import type { Vault } from '../../src/vault/vault.js';
import { accountProcess } from '../support/account-process.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

const root = { username: 'root', email: 'root@localhost' };

describe('the first site administrator', () => {
  let vaults: TestVaults;
  let store: MemoryEventStore;
  const people = new TestPeople();

  const begin = async () => {
    vaults = await testVaults();
    store = new MemoryEventStore();
  };
  const end = () => vaults.close();
  beforeEach(begin);
  afterEach(end);

  const process = async (
    on: EventStore = store,
    patienceMs = 20,
  ): Promise<AccountServices & { vault: Vault }> => ({
    ...accountProcess({ store: on, people, patienceMs }),
    vault: await vaults.open(),
  });
  const appointed = async (): Promise<number[]> => {
    const { state } = await (await process()).commands.load(Administrators, ADMINISTRATORS);
    return [...state.canAct.keys()];
  };

  it('is made with a password that is told once', async () => {
    const services = await process();
    const made = await ensureFirstAdministrator(services, root);
    expect(made?.username).to.equal('root');
    expect(await services.vault.credentials.verify(1, made?.password ?? '')).to.equal(true);
    expect(await appointed()).to.deep.equal([1]);
    expect(await ensureFirstAdministrator(services, root)).to.equal(undefined);
    expect(await appointed()).to.deep.equal([1]);
  });

  it('is made with a password of the least length and the complexity that are configured', async () => {
    for (const minBytes of [1, 17, 255]) {
      const passwordRules = { minBytes, complexity: ['lower', 'upper', 'digit', 'spec'] } as const;
      const services = { ...(await process()), config: { passwordRules } };
      const made = await ensureFirstAdministrator(services, root); // refused if it lacks one of these
      expect(made?.password).to.have.length(Math.max(16, minBytes));
      await end();
      await begin();
    }
  });

  it('is missed where the log has administrators and the vault nobody', async () => {
    await ensureFirstAdministrator(await process(), root);
    const other = await testVaults();
    const services = { ...(await process()), vault: await other.open() };
    expect(await rejection(ensureFirstAdministrator(services, root))).to.be.instanceOf(VaultMissing);
    await other.close();
  });

  it('is not made anew where the vault has accounts and the log nothing', async () => {
    await ensureFirstAdministrator(await process(), root);
    store = new MemoryEventStore();
    expect(await rejection(ensureFirstAdministrator(await process(), root))).to.be.instanceOf(LogMissing);
    expect(await appointed()).to.deep.equal([]);
    expect(await store.lastPosition()).to.equal(START);
  });

  it('has the password that was configured, which is not told', async () => {
    const services = await process();
    expect(await ensureFirstAdministrator(services, { ...root, password: 'configured' })).to.equal(undefined);
    expect(await services.vault.credentials.verify(1, 'configured')).to.equal(true);
    expect(await services.vault.credentials.state(1)).to.include({ active: true, mustChangePassword: false });
  });

  it('is one, however many processes make it at once', async () => {
    const patient = () => process(store, 60_000); // however slow the machine, each waits for the others
    const services = await patient();
    const processes = [services, await patient(), await patient()];
    const made = await Promise.all(processes.map((one) => ensureFirstAdministrator(one, root)));
    const told = made.filter((one) => one !== undefined);
    expect(told).to.have.length(1);
    const [accountId = 0] = await appointed();
    expect(await services.vault.credentials.verify(accountId, told[0]?.password ?? '')).to.equal(true);
  });

  // The appends: a block of ids, name, address, account, appointment.
  for (const append of [1, 2, 3, 4, 5]) {
    it(`is made by the next start when the process dies at append ${append}`, async () => {
      for (const when of ['beforeAppend', 'afterAppend'] as const) {
        await end();
        await begin();
        let appends = 0;
        const dying = await process(
          new InterceptedStore(store, {
            [when]: () => {
              if (++appends >= append) throw new Error('killed');
            },
          }),
        );
        await rejection(ensureFirstAdministrator(dying, root));
        const services = await process();
        const made = await ensureFirstAdministrator(services, root);
        const [accountId = 0, ...others] = await appointed();
        expect(others).to.deep.equal([]);
        if (append === 5 && when === 'afterAppend') expect(made).to.equal(undefined);
        else expect(await services.vault.credentials.verify(accountId, made?.password ?? '')).to.equal(true);
      }
    });
  }
});
