import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { deleteFromCatalogue } from '../../../src/commands/quota/delete-from-catalogue.js';
import { leaveGroups } from '../../../src/commands/quota/leave-groups.js';
import { findRepeated } from '../../../src/commands/repeated.js';
import { QuotaCatalogue, type QuotaCatalogueCommand } from '../../../src/domain/quota/quota-catalogue.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore, type Interception } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const CATALOGUE = 'quotaCatalogue-main';
/** Names as long as they may be, of characters that take four bytes. */
const longName = (id: number) => `${id}${'𝒳'.repeat(251)}`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('what one append cannot hold', function () {
  this.timeout(20_000);
  let log: EventLog;
  let commands: CommandHandler;
  let store: MemoryEventStore;
  beforeEach(() => {
    store = new MemoryEventStore();
    log = new EventLog({ store, people: new TestPeople() });
    commands = new CommandHandler({ log });
  });

  const command = { commandId: 'one', at, repeatable: true };
  const change = (wanted: QuotaCatalogueCommand, commandId: string) =>
    commands.handle(QuotaCatalogue, 'main', wanted, { commandId, at });
  const createRules = async (ids: readonly number[], group: (id: number) => string) => {
    for (const id of ids) {
      const rules = [{ id, name: longName(id), limit: '1', subjects: [] }];
      await change({ type: 'CreateQuotaGroup', data: { id, name: group(id), rules, at } }, `create ${id}`);
    }
  };
  const catalogue = async () => (await commands.load(QuotaCatalogue, 'main')).state;

  it('is taken out of a group with very many rules before the group is deleted', async () => {
    const ids = range(1_100);
    await createRules(ids, (id) => `group ${id}`);
    await change({ type: 'CreateQuotaGroup', data: { id: 2_000, name: 'all', rules: [], at } }, 'create');
    for (const id of ids)
      await change(
        { type: 'AddRuleToQuotaGroup', data: { group: 'all', rule: longName(id), at } },
        `add ${id}`,
      );
    await deleteFromCatalogue(commands, 'QuotaGroup', 'all', command);
    expect((await catalogue()).groups.has('all')).to.equal(false);
    expect((await catalogue()).rules.size).to.equal(1_100);
  });

  it('is no reason to take the deletion of a rule for done that was cut off before', async () => {
    const rules = [{ id: 1, name: 'small', limit: '1', subjects: [] }];
    for (const id of range(600))
      await change(
        { type: 'CreateQuotaGroup', data: { id, name: `group ${id}`, rules, at } },
        `create ${id}`,
      );
    let appends = 0;
    const crash: Interception = {
      afterAppend: () => {
        appends += 1;
        if (appends === 2) throw new Error('crashed');
      },
    };
    const cutOff = new EventLog({ store: new InterceptedStore(store, crash), people: new TestPeople() });
    await rejection(deleteFromCatalogue(new CommandHandler({ log: cutOff }), 'QuotaRule', 'small', command));
    expect(await findRepeated(log, CATALOGUE, command)).to.equal(undefined);

    await deleteFromCatalogue(commands, 'QuotaRule', 'small', command);
    expect((await catalogue()).rules.has('small')).to.equal(false);
    expect((await findRepeated(log, CATALOGUE, command))?.events.at(-1)?.type).to.equal('QuotaRuleDeleted');
    const removed = (await store.readStream(CATALOGUE)).filter(
      ({ type }) => type === 'RuleRemovedFromQuotaGroup',
    );
    expect(removed).to.have.length(600);
  });

  it('is left group by group by an account that is deleted', async () => {
    for (const id of range(900)) {
      const group = { id, name: longName(id) };
      await change({ type: 'CreateQuotaGroup', data: { ...group, rules: [], at } }, `create ${id}`);
      const join = { type: 'AddToQuotaGroup', data: { group, at } } as const;
      await commands.handle(QuotaMembership, 7, join, { commandId: `join ${id}`, at });
    }
    await leaveGroups(commands, 7, command);
    expect((await commands.load(QuotaMembership, 7)).state.groups.size).to.equal(0);
  });
});
