import { expect } from 'chai';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import { deleteUser, type DeletionServices } from '../../../src/commands/accounts/delete-user.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { accountProcess } from '../../support/account-process.js';
import { TestPeople } from '../../support/people.js';

const at = '2026-01-01T00:00:00Z';

describe('the deletion of a user', () => {
  it('begins anew where another one, which was refused, opens the account again', async () => {
    const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
    const user = { name: 'ada', email: 'ada@example.org', password: 'long enough' };
    const { accountId } = await createUser(services, user, { commandId: 'create', at });
    const nothing = () => Promise.resolve();
    const vault = {
      ...services.vault,
      credentials: { remove: nothing },
      tokens: { removeAll: nothing },
    } as unknown as DeletionServices['vault'];
    let looked = 0;
    const organizationsOf = async () => {
      looked += 1;
      const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
      if (looked === 1)
        await services.commands.handle(Account, accountId, reopen, { commandId: 'the other', at });
      return [];
    };
    const deletion = {
      accountId,
      purge: false,
      erase: false,
      repositories: { of: () => Promise.resolve([]), delete: nothing },
      organizationsOf,
      writings: () => Promise.resolve({ issues: [], comments: [] }),
    };
    await deleteUser({ ...services, vault }, deletion, { commandId: 'delete', at, repeatable: true });
    expect(looked).to.equal(2);
    expect((await services.commands.load(Account, accountId)).state.status).to.equal('deleted');
  });
});
