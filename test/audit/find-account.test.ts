import { expect } from 'chai';
import { findAccountAsOf } from '../../src/audit/find-account.js';
import { nameClaim } from '../../src/commands/accounts/account-claims.js';
import { createUser } from '../../src/commands/accounts/create-account.js';
import { renameAccount } from '../../src/commands/accounts/rename-account.js';
import { Account } from '../../src/domain/accounts/account.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { accountProcess } from '../support/account-process.js';
import { TestPeople } from '../support/people.js';

const at = '2026-01-01T00:00:00Z';

describe('the account that had a name at a moment', () => {
  it('is none where nobody came to the name who claimed it', async () => {
    const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
    const { commands, claims, vault, log } = services;
    await claims.claim(nameClaim(vault, 'alice'), 7, { commandId: 'claim', at });
    const abandon = { type: 'AbandonClaim', data: { accountId: 7, holds: false, at } } as const;
    await commands.handle(Account, 7, abandon, { commandId: 'abandon', at });
    const before = await log.lastPosition();
    expect(await findAccountAsOf(log, vault, 'Alice', before)).to.equal(undefined);
    const user = { name: 'alice', email: 'alice@example.org', password: 'long enough' };
    const { accountId } = await createUser(services, user, { commandId: 'create', at });
    expect(await findAccountAsOf(log, vault, 'Alice', before)).to.equal(undefined);
    expect(await findAccountAsOf(log, vault, 'Alice', await log.lastPosition())).to.equal(accountId);
  });

  it('is the one that has it now where only somebody who never came to it had claimed it', async () => {
    const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
    const { commands, claims, vault, log } = services;
    const user = { name: 'bob', email: 'bob@example.org', password: 'long enough' };
    const { accountId } = await createUser(services, user, { commandId: 'create', at });
    await claims.claim(nameClaim(vault, 'alice'), 7, { commandId: 'claim', at });
    const abandon = { type: 'AbandonClaim', data: { accountId: 7, holds: false, at } } as const;
    await commands.handle(Account, 7, abandon, { commandId: 'abandon', at });
    const before = await log.lastPosition();
    await renameAccount(services, accountId, 'alice', { commandId: 'rename', at });
    expect(await findAccountAsOf(log, vault, 'Alice', before)).to.equal(accountId);
  });

  it('is none once the account is deleted, though its name is released after that', async () => {
    const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
    const { commands, vault, log } = services;
    const user = { name: 'alice', email: 'alice@example.org', password: 'long enough' };
    const { accountId } = await createUser(services, user, { commandId: 'create', at });
    for (const type of ['CloseAccount', 'DeleteAccount'] as const) {
      expect(await findAccountAsOf(log, vault, 'Alice', await log.lastPosition()), type).to.equal(accountId);
      await commands.handle(Account, accountId, { type, data: { accountId, at } }, { commandId: type, at });
    }
    expect(await findAccountAsOf(log, vault, 'Alice', await log.lastPosition())).to.equal(undefined);
  });
});
