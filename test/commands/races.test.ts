import { expect } from 'chai';
import fc from 'fast-check';
import { setImmediate as tick } from 'node:timers/promises';
import { CommandHandler } from '../../src/commands/handle.js';
import {
  QuotaMembership,
  type QuotaMembershipCommand,
  type QuotaMembershipEvent,
} from '../../src/domain/quota/quota-membership.js';
import { DomainError } from '../../src/domain/errors.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';

const at = '2026-01-01T00:00:00Z';
type Outcome = {
  commandId: string;
  command: QuotaMembershipCommand;
  events: readonly QuotaMembershipEvent[];
};

const groupOf = fc.constantFrom(1, 2, 3).map((id) => ({ id, name: `group ${id}` }));
const command: fc.Arbitrary<QuotaMembershipCommand> = fc.oneof(
  groupOf.map((group) => ({ type: 'AddToQuotaGroup' as const, data: { group, at } })),
  groupOf.map((group) => ({ type: 'RemoveFromQuotaGroup' as const, data: { group, at } })),
  fc
    .array(groupOf, { maxLength: 3 })
    .map((groups) => ({ type: 'SetQuotaGroups' as const, data: { groups, at } })),
);

describe('commands of several processes that race', () => {
  it('come out as in some order one after the other, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { maxLength: 6 }), { minLength: 2, maxLength: 4 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        async (processes, delays) => {
          const store = new MemoryEventStore();
          const outcomes = await race(store, processes, delays);
          checkSerial(
            await new EventLog({ store, people: new TestPeople() }).readStream('quotaMembership-1'),
            outcomes,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Each process runs its commands all at once, on a log whose answers take a varying time. */
async function race(
  store: MemoryEventStore,
  processes: readonly (readonly QuotaMembershipCommand[])[],
  delays: Iterator<number>,
): Promise<Outcome[]> {
  const wait = async () => {
    for (let ticks = Number(delays.next().value); ticks > 0; ticks--) await tick();
  };
  const slow = new InterceptedStore(store, { beforeAppend: wait, afterAppend: wait, beforeRead: wait });
  const outcomes = processes.map((commands, process) => {
    const handler = new CommandHandler({ log: new EventLog({ store: slow, people: new TestPeople() }) });
    return commands.map(async (command, index): Promise<Outcome> => {
      const commandId = `command ${index} of process ${process}`;
      try {
        const { events } = await handler.handle(QuotaMembership, 1, command, { commandId, at });
        return { commandId, command, events };
      } catch (error) {
        if (error instanceof DomainError) return { commandId, command, events: [] };
        throw error;
      }
    });
  });
  return Promise.all(outcomes.flat());
}

function checkSerial(log: Awaited<ReturnType<EventLog['readStream']>>, outcomes: readonly Outcome[]): void {
  const byId = new Map(outcomes.map((outcome) => [outcome.commandId, outcome]));
  const states = [QuotaMembership.initialState];
  let state = QuotaMembership.initialState;
  const order = [...new Set(log.map((event) => event.metadata.$causationId))];
  for (const commandId of order) {
    const outcome = byId.get(commandId);
    if (!outcome) throw new Error(`${commandId} was never given`);
    expect(QuotaMembership.decide(outcome.command, state)).to.deep.equal(outcome.events);
    state = outcome.events.reduce((state, event) => QuotaMembership.evolve(state, event), state);
    states.push(state);
  }
  expect(order.flatMap((id) => byId.get(id)?.events ?? [])).to.deep.equal(
    log.map(({ type, data }) => ({ type, data })),
  );
  for (const { commandId, command, events } of outcomes) {
    if (events.length > 0) expect(order).to.include(commandId);
    else expect(states.some((state) => changesNothing(command, state))).to.equal(true);
  }
}

function changesNothing(
  command: QuotaMembershipCommand,
  state: typeof QuotaMembership.initialState,
): boolean {
  try {
    return QuotaMembership.decide(command, state).length === 0;
  } catch (error) {
    if (error instanceof DomainError) return true;
    throw error;
  }
}
