import { expect } from 'chai';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import {
  deleteUser,
  type DeletionServices,
  type UserDeletion,
} from '../../../src/commands/accounts/delete-user.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../../src/domain/accounts/administrators.js';
import { EventStoreUnavailable } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { accountProcess } from '../../support/account-process.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';

const nothing = () => Promise.resolve();

/** A user, and what it takes to delete it. */
async function ada() {
  const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
  const user = { name: 'ada', email: 'ada@example.org', password: 'long enough' };
  const { accountId } = await createUser(services, user, { commandId: 'create', at });
  const vault = {
    ...services.vault,
    credentials: { remove: nothing },
    tokens: { removeAll: nothing },
  } as unknown as DeletionServices['vault'];
  const deletion: UserDeletion = {
    accountId,
    purge: false,
    erase: false,
    repositories: { of: () => Promise.resolve([]), delete: nothing },
    organizationsOf: () => Promise.resolve([]),
    writings: () => Promise.resolve({ issues: [], comments: [] }),
  };
  return { accountId, services: { ...services, vault }, deletion };
}

describe('the deletion of a user', () => {
  it('begins anew where another one, which was refused, opens the account again', async () => {
    const { accountId, services, deletion } = await ada();
    let looked = 0;
    const organizationsOf = async () => {
      looked += 1;
      const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
      if (looked === 1)
        await services.commands.handle(Account, accountId, reopen, { commandId: 'the other', at });
      return [];
    };
    await deleteUser(
      services,
      { ...deletion, organizationsOf },
      { commandId: 'delete', at, repeatable: true },
    );
    expect(looked).to.equal(2);
    expect((await services.commands.load(Account, accountId)).state.status).to.equal('deleted');
  });

  it('leaves an open account, and an administrator, where it cannot be done', async () => {
    const { accountId, services, deletion } = await ada();
    const { commands } = services;
    const context = (commandId: string) => ({ commandId, at });
    for (const id of [accountId, 999]) {
      const appoint = { type: 'AppointAdministrator', data: { accountId: id, at } } as const;
      await commands.handle(Administrators, ADMINISTRATORS, appoint, context(`appoint ${id}`));
    }
    let stayed: boolean | undefined;
    const writings = async () => {
      stayed = (await commands.load(Administrators, ADMINISTRATORS)).state.canAct.has(accountId);
      throw new Error('not now');
    };
    const failed = deleteUser(services, { ...deletion, purge: true, writings }, context('delete'));
    expect(await rejection(failed)).to.have.property('message', 'not now');
    expect(stayed).to.equal(false);
    expect((await commands.load(Administrators, ADMINISTRATORS)).state.canAct.get(accountId)).to.equal(true);
    const { status, closingAt } = (await commands.load(Account, accountId)).state;
    expect([status, closingAt]).to.deep.equal(['exists', undefined]);
  });

  it('stays under way where its outcome is unknown, and is completed by the same request', async () => {
    const { accountId, services, deletion } = await ada();
    const state = async () => (await services.commands.load(Account, accountId)).state;
    const unanswered = () => Promise.reject(new EventStoreUnavailable('no answer'));
    const asked = { commandId: 'delete', at, repeatable: true };
    const failed = deleteUser(services, { ...deletion, purge: true, writings: unanswered }, asked);
    expect(await rejection(failed)).to.be.instanceOf(EventStoreUnavailable);
    expect(await state()).to.include({ status: 'exists', closingAt: at });
    await deleteUser(services, { ...deletion, purge: true }, asked);
    expect(await state()).to.include({ status: 'deleted' });
  });
});
