import { expect } from 'chai';
import fc from 'fast-check';
import { CommandHandler } from '../../src/commands/handle.js';
import { QuotaMembership } from '../../src/domain/quota/quota-membership.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { EventStoreUnavailable, START, type Position } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { GroupCommit, type PendingAppend } from '../../src/event-store/postgres/group-commit.js';
import { RecentWrites } from '../../src/http/recent-writes.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { runs } from './runs.js';

const at = '2026-01-01T00:00:00Z';

describe('in any order of what happens at once', () => {
  it('a command that is acknowledged is carried out once, one that is sent again too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
        async (scheduler, processes, luck) => {
          const store = new MemoryEventStore();
          const answered = () => {
            // The append took place, and its writer does not learn of it.
            if (Number(luck.next().value) < 2) throw new EventStoreUnavailable('cut off');
          };
          const wire = new InterceptedStore(store, {
            beforeAppend: () => scheduler.schedule(Promise.resolve(), 'append'),
            afterAppend: answered,
            beforeRead: () => scheduler.schedule(Promise.resolve(), 'read'),
          });
          const handlers = new Map<number, CommandHandler>();
          const handlerOf = (process: number) => {
            const log = new EventLog({ store: wire, people: new TestPeople() });
            const handler = handlers.get(process) ?? new CommandHandler({ log });
            handlers.set(process, handler);
            return handler;
          };
          /** Sent under the same id until there is an answer, to another process each time. */
          const send = async (id: number, first: number) => {
            const context = { commandId: `command ${id}`, at, repeatable: true };
            const data = { group: { id, name: `group ${id}` }, at };
            for (let process = first; ; process += 1) {
              try {
                await handlerOf(process % 4).handle(
                  QuotaMembership,
                  1,
                  { type: 'AddToQuotaGroup', data },
                  context,
                );
                return;
              } catch (error) {
                if (!(error instanceof EventStoreUnavailable)) throw error;
              }
            }
          };
          await scheduler.waitFor(Promise.all(processes.map((process, id) => send(id, process))));
          const log = new EventLog({ store, people: new TestPeople() });
          const added = (await log.readStream('quotaMembership-1')).map(({ data }) => Number(data.groupId));
          expect(added.sort()).to.deep.equal(processes.map((_, id) => id));
        },
      ),
      runs(40),
    );
  });

  it('a group commit answers every append once, and those of one stream in turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 40 }),
        async (scheduler, streams) => {
          const committed: number[] = [];
          const answered: number[] = [];
          const under = new Set<string>();
          let groups = 0;
          const ids = new Map<PendingAppend, number>();
          const groupCommit = new GroupCommit(async (group) => {
            groups += 1;
            expect(groups).to.be.at.most(2);
            for (const { stream } of group) {
              expect(under.has(stream), `${stream} is under way`).to.equal(false);
              under.add(stream);
            }
            await scheduler.schedule(Promise.resolve(), 'commit');
            for (const append of group) {
              under.delete(append.stream);
              committed.push(ids.get(append) ?? -1);
              append.resolve({ revision: 0, position: START });
            }
            groups -= 1;
          });
          const appends = streams.map(async (stream, id) => {
            await scheduler.schedule(Promise.resolve(), 'arrival');
            await new Promise<void>((resolve, reject) => {
              const done = () => {
                answered.push(id);
                resolve();
              };
              const append = {
                stream,
                expected: 'noStream',
                events: [],
                since: 0,
                resolve: done,
                reject,
              } as const;
              ids.set(append, id);
              arrived.push(id);
              groupCommit.add(append);
            });
          });
          const arrived: number[] = [];
          await scheduler.waitFor(Promise.all(appends));
          await groupCommit.idle();
          expect([...answered].sort((one, other) => one - other)).to.deep.equal(streams.map((_, id) => id));
          for (const stream of ['a', 'b', 'c']) {
            const ofStream = (list: readonly number[]) => list.filter((id) => streams[id] === stream);
            expect(ofStream(committed)).to.deep.equal(ofStream(arrived));
          }
        },
      ),
      runs(40),
    );
  });

  it('a caller reads what it wrote, or is told that it may not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        async (scheduler, callers, luck) => {
          let written: Position = 0n;
          let shown: Position = 0n;
          // The projector passes the position meanwhile, or time runs out before.
          const wait = async (position: Position) => {
            if (shown >= position) return true;
            await scheduler.schedule(Promise.resolve(), 'progress');
            if (luck.next().value === true && shown < position) shown = position;
            return shown >= position;
          };
          const writes = new RecentWrites({ wait });
          const own = new Map<number, Position>();
          const steps = callers.map(async (caller) => {
            await scheduler.schedule(Promise.resolve(), 'request');
            const position = (written += 1n);
            const shows = await writes.settle(caller, position);
            own.set(caller, position > (own.get(caller) ?? 0n) ? position : (own.get(caller) ?? 0n));
            if (shows) expect(shown >= position).to.equal(true);
            const mine = own.get(caller) ?? 0n;
            // Undefined says that there is nothing to wait for, as true that it is over.
            if ((await writes.before(caller)) !== false) expect(shown >= mine).to.equal(true);
          });
          await scheduler.waitFor(Promise.all(steps));
        },
      ),
      runs(60),
    );
  });
});
