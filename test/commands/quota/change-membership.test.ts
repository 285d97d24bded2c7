import { expect } from 'chai';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import { changeMembership } from '../../../src/commands/quota/change-membership.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { QuotaMembership, type GroupReference } from '../../../src/domain/quota/quota-membership.js';
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

  describe('beside a deletion', () => {
    const user = { name: 'ada', email: 'ada@example.org', password: 'long enough' };
    const own = (commandId: string) => ({ commandId, at, repeatable: true });
    let services: ReturnType<typeof accountProcess>;
    let accountId: number;

    beforeEach(async () => {
      services = accountProcess({ store: new MemoryEventStore(), people: new TestPeople() });
      ({ accountId } = await createUser(services, user, { commandId: 'create', at }));
    });
    const account = (type: 'CloseAccount' | 'ReopenAccount' | 'DeleteAccount') =>
      services.commands.handle(Account, accountId, { type, data: { accountId, at } }, own(type));
    const setTo = (group: GroupReference) =>
      ({ type: 'SetQuotaGroups', data: { groups: [group], at } }) as const;
    const groups = async () => [
      ...(await services.commands.load(QuotaMembership, accountId)).state.groups.keys(),
    ];

    it('stay as they are where the request is refused, and then the deletion', async () => {
      await changeMembership(services.commands, accountId, setTo(starter), own('first'));
      await account('CloseAccount');
      const changing = changeMembership(services.commands, accountId, setTo(trial), own('second'));
      expect(await rejection(changing)).to.include({ kind: 'unavailable', code: 'account.being_deleted' });
      await account('ReopenAccount');
      expect(await groups()).to.deep.equal([starter.id]);
    });

    it('are left by the second attempt of a request whose first died half-way', async () => {
      await services.commands.handle(QuotaMembership, accountId, setTo(starter), own('cut off'));
      await account('CloseAccount');
      await account('DeleteAccount');
      const again = changeMembership(services.commands, accountId, setTo(starter), own('cut off'));
      expect(await rejection(again)).to.include({ code: 'account.absent' });
      expect(await groups()).to.deep.equal([]);
    });
  });
});
