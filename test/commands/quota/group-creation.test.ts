import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { QuotaCatalogue, type QuotaCatalogueCommand } from '../../../src/domain/quota/quota-catalogue.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore, type Interception } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const rule = (id: number, ...subjects: string[]) => ({ id, name: `rule ${id}`, limit: '1', subjects });
const GROUP: QuotaCatalogueCommand = {
  type: 'CreateQuotaGroup',
  data: { id: 1, name: 'starter', rules: [rule(1, 'size:all'), rule(2, 'size:git:lfs')], at },
};

describe('creating a quota group with its rules', () => {
  let store: MemoryEventStore;
  beforeEach(() => {
    store = new MemoryEventStore();
  });

  /** What a process does that meets these steps at its log. */
  const create = (steps: Interception, commandId = 'one') => {
    const log = new EventLog({ store: new InterceptedStore(store, steps), people: new TestPeople() });
    const context = { commandId, at, repeatable: true };
    return new CommandHandler({ log }).handle(QuotaCatalogue, 'main', GROUP, context);
  };
  const stored = async () => (await store.readStream('quotaCatalogue-main')).map(({ type }) => type);
  const created = ['QuotaRuleCreated', 'QuotaRuleCreated', 'QuotaGroupCreated'];
  const whole = [...created, 'RuleAddedToQuotaGroup', 'RuleAddedToQuotaGroup'];
  const crash = () => {
    throw new Error('crashed');
  };

  it('leaves nothing where it is cut off before its append', async () => {
    await rejection(create({ beforeAppend: crash }));
    expect(await stored()).to.deep.equal([]);
  });

  it('leaves all of it where it is cut off right after, and is done once when it comes again', async () => {
    await rejection(create({ afterAppend: crash }));
    expect(await stored()).to.deep.equal(whole);
    await create({});
    expect(await stored()).to.deep.equal(whole);
  });

  it('leaves nothing of itself where another was first', async () => {
    let another: Promise<unknown> | undefined;
    const refusal = await rejection(create({ beforeAppend: () => (another ??= create({}, 'another')) }));
    expect(refusal).to.include({ code: 'quota_group.exists' });
    expect(await stored()).to.deep.equal(whole);
  });
});
