import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../../src/commands/handle.js';
import { RefusalRecorder } from '../../../src/commands/quota/refusal-recorder.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { EventStoreUnavailable } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore, type Interception } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { until } from '../../support/process.js';

const ALICE = { id: 1, name: 'alice' };
const START = Date.parse('2026-01-01T00:00:20Z');

const refusal = (used: bigint, account = ALICE) =>
  new QuotaExceeded(account, {
    group: 'small',
    rule: 'few',
    subject: 'size:repos:public',
    limit: 10n,
    used,
    incoming: null,
    position: 41n,
  });
const context = () => ({ commandId: v4(), at: '2026-01-01T00:00:20Z' });

/** What was to be done later, and after how many ms, by timers that `work` has set. */
function timersSetBy(work: () => void): readonly { readonly fire: () => void; readonly afterMs: number }[] {
  const due: { fire: () => void; afterMs: number }[] = [];
  const system = globalThis.setTimeout;
  globalThis.setTimeout = ((fire: () => void, afterMs: number) => {
    due.push({ fire, afterMs });
    return system(() => undefined, 0);
  }) as typeof setTimeout;
  try {
    work();
    return due;
  } finally {
    globalThis.setTimeout = system;
  }
}

describe('refusals for want of room', () => {
  let store: MemoryEventStore;
  let clock: number;
  let errors: unknown[];
  beforeEach(() => {
    [store, clock, errors] = [new MemoryEventStore(), START, []];
  });
  const recorder = (steps: Interception = {}) => {
    const log = new EventLog({ store: new InterceptedStore(store, steps), people: new TestPeople() });
    return new RefusalRecorder({
      commands: new CommandHandler({ log }),
      onError: (error) => errors.push(error),
      now: () => new Date(clock),
    });
  };
  /** What is in the log of an account: the minute, how many, and what was used at the last of them. */
  const recorded = async (accountId = ALICE.id) => {
    const events = await store.readStream(`quotaRefusals-${accountId}`);
    return events.map(({ type, data }) => {
      const { minute, more, used } = data as Record<string, unknown>;
      return [type, minute, more ?? 1, used];
    });
  };
  const [FIRST, SECOND] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'];

  it('take two events in a minute, however many there are', async () => {
    const refusals = recorder();
    for (let used = 10n; used < 510n; used += 1n) refusals.note(refusal(used), context());
    await refusals.close();
    expect(await recorded()).to.deep.equal([
      ['QuotaRefused', FIRST, 1, '10'],
      ['QuotaRefusalsCounted', FIRST, 499, '509'],
    ]);
  });

  it('are counted by minute', async () => {
    const refusals = recorder();
    for (const used of [10n, 11n]) refusals.note(refusal(used), context());
    clock += 60_000;
    refusals.note(refusal(12n), context());
    await refusals.close();
    expect(await recorded()).to.deep.equal([
      ['QuotaRefused', FIRST, 1, '10'],
      ['QuotaRefusalsCounted', FIRST, 1, '11'],
      ['QuotaRefused', SECOND, 1, '12'],
    ]);
  });

  it('are recorded when somebody asks, and counted on', async () => {
    const refusals = recorder();
    for (const used of [10n, 11n, 12n]) refusals.note(refusal(used), context());
    await refusals.flush();
    expect(await recorded()).to.deep.equal([
      ['QuotaRefused', FIRST, 1, '10'],
      ['QuotaRefusalsCounted', FIRST, 2, '12'],
    ]);
    for (const used of [13n, 14n]) refusals.note(refusal(used), context());
    for (let time = 0; time < 2; time += 1) await refusals.flush();
    expect((await recorded()).slice(2)).to.deep.equal([['QuotaRefusalsCounted', FIRST, 2, '14']]);
    await refusals.close();
  });

  it('are recorded when their minute is over, though nobody asks', async () => {
    const due = timersSetBy(() => {
      const refusals = recorder();
      for (const used of [10n, 11n]) refusals.note(refusal(used), context());
    });
    expect(due.map(({ afterMs }) => afterMs)).to.deep.equal([40_000]); // it began twenty seconds ago
    clock += 40_000;
    for (const { fire } of due) fire();
    await until(async () => (await recorded()).length === 2);
    expect((await recorded())[1]).to.deep.equal(['QuotaRefusalsCounted', FIRST, 1, '11']);
  });

  it('are those of the first who was refused, and of the last', async () => {
    const refusals = recorder();
    for (const id of [5, 6, 7])
      refusals.note(refusal(10n), { ...context(), actor: { id, name: 'somebody' } });
    await refusals.close();
    const events = await new EventLog({ store, people: new TestPeople() }).readStream('quotaRefusals-1');
    expect(events.map(({ metadata }) => metadata.actor?.id)).to.deep.equal([5, 7]);
  });

  it('are counted by account', async () => {
    const refusals = recorder();
    refusals.note(refusal(10n), context());
    refusals.note(refusal(20n, { id: 2, name: 'bob' }), context());
    await refusals.close();
    expect(await recorded(1)).to.deep.equal([['QuotaRefused', FIRST, 1, '10']]);
    expect(await recorded(2)).to.deep.equal([['QuotaRefused', FIRST, 1, '20']]);
  });

  it('of several processes add up', async () => {
    const [one, other] = [recorder(), recorder()];
    for (const refusals of [one, other]) {
      refusals.note(refusal(10n), context());
      refusals.note(refusal(11n), context());
      await refusals.close();
    }
    expect(await recorded()).to.deep.equal([
      ['QuotaRefused', FIRST, 1, '10'],
      ['QuotaRefusalsCounted', FIRST, 1, '11'],
      ['QuotaRefusalsCounted', FIRST, 2, '11'],
    ]);
  });

  it('that cannot be recorded are told to nobody but the log', async () => {
    const refusals = recorder({
      beforeAppend: () => Promise.reject(new EventStoreUnavailable('away')),
    });
    refusals.note(refusal(10n), context());
    await refusals.close();
    expect(errors).to.have.length(1);
    expect(await recorded()).to.deep.equal([]);
  });
});
