import { expect } from 'chai';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import { changeMembership } from '../../../src/commands/quota/change-membership.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { accountProcess } from '../../support/account-process.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const [starter, trial] = [
  { id: 1, name: 'starter' },
  { id: 2, name: 'trial' },
];

describe('the quota groups of an account', () => {
  for (const command of [
    { type: 'AddToQuotaGroup', data: { group: starter, at } },
    { type: 'SetQuotaGroups', data: { groups: [starter, trial], at } },
  ] as const)
    it(`are left where the account is deleted before ${command.type}`, async () => {
      const store = new MemoryEventStore();
      const people = new TestPeople();
      const { commands, ...others } = accountProcess({ store, people });
      const user = { name: 'ada', email: 'ada@example.org', password: 'long enough' };
      const { accountId } = await createUser({ commands, ...others }, user, { commandId: 'create', at });
      const late = new InterceptedStore(store, {
        beforeAppend: async (_stream, events) => {
          if (!events.some(({ type }) => type === 'AddedToQuotaGroup')) return;
          for (const type of ['CloseAccount', 'DeleteAccount'] as const)
            await commands.handle(
              Account,
              accountId,
              { type, data: { accountId, at } },
              { commandId: type, at },
            );
        },
      });
      const changing = changeMembership(
        accountProcess({ store: late, people }).commands,
        accountId,
        command,
        {
          commandId: 'change',
          at,
        },
      );
      expect(await rejection(changing)).to.include({ code: 'account.absent' });
      const { groups } = (await commands.load(QuotaMembership, accountId)).state;
      expect([...groups.keys()]).to.deep.equal([]);
    });

  it('stay as they are where the request is refused, and the deletion too', async () => {
    const services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
    const { commands } = services;
    const user = { name: 'ada', email: 'ada@example.org', password: 'long enough' };
    const { accountId } = await createUser(services, user, { commandId: 'create', at });
    const set = (group: typeof starter) => {
      const command = { type: 'SetQuotaGroups', data: { groups: [group], at } } as const;
      return changeMembership(commands, accountId, command, { commandId: group.name, at });
    };
    const account = (type: 'CloseAccount' | 'ReopenAccount') =>
      commands.handle(Account, accountId, { type, data: { accountId, at } }, { commandId: type, at });
    await set(starter);
    await account('CloseAccount');
    expect(await rejection(set(trial))).to.include({ code: 'account.absent' });
    await account('ReopenAccount');
    const { groups } = (await commands.load(QuotaMembership, accountId)).state;
    expect([...groups.keys()]).to.deep.equal([starter.id]);
  });
});
