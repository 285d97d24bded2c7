import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';
import { Random } from '../support/random.js';
import { Receiver } from './receiver.js';
import { Things } from './things.js';

const EVENTS = Number(process.env.TEST_CHAOS_EVENTS ?? 5_000);
const SEED = Number(process.env.TEST_CHAOS_SEED ?? 20_261_121);
const PROCESSES = 2;
/** However slow the machine: each process that takes a killed one's place costs it half a second. */
const KILLS = 30;
/** Fewer than make a delivery fail for good. */
const MOST_REFUSALS = 3;
/** Their clock runs so much faster, so that pauses of minutes pass in moments. */
const SPEED = 100;

describe(`deliveries while processes are killed (seed ${SEED})`, function () {
  this.timeout(600_000 + EVENTS * 60);
  let database: TestDatabase;
  let things: Things;
  let db: Database;
  const receivers: Receiver[] = [];
  const processes: ChildProcess[] = [];
  const random = new Random(SEED);
  const luck = new Random(SEED + 1);
  let begun: number;

  before(async () => {
    database = await testDatabase();
    await migrate(database.url, ['events', 'projector', 'deliveries']);
    begun = Date.now(); // not when the file is read: the clock runs on
    things = new Things(database.url);
    db = new Database({ url: database.url, applicationName: 'test' });
    const refusals = new Map<number, number>();
    const failing = await Receiver.open((response, { n }) => {
      const refused = refusals.get(n) ?? 0;
      const fails = refused < MOST_REFUSALS && luck.chance(0.4);
      if (fails) refusals.set(n, refused + 1);
      if (fails && luck.chance(0.5)) response.destroy();
      else response.writeHead(fails ? luck.pick([408, 429, 500, 503]) : 200).end();
    });
    receivers.push(await Receiver.open(), failing, await Receiver.open());
  });
  after(async () => {
    for (const process of processes) await kill(process);
    await things.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await db.close();
    await database.drop();
  });

  /** Resolves when it runs: however slow the machine, each lives long enough to do something. */
  const launch = async () => {
    const targets = Object.fromEntries(receivers.map(({ target }, index) => [index + 1, target]));
    const entry = new URL('./dispatcher-process.js', import.meta.url);
    const args = [database.url, JSON.stringify(targets), String(begun), String(SPEED)];
    const process = fork(entry, args, { execArgv: [] });
    processes.push(process);
    await once(process, 'message');
  };
  const isSettled = async () => {
    const [row] = await db.rows<{ delivered: number; failed: number }>(`
      select count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where status = 'failed') as failed from deliveries.deliveries`);
    expect(row?.failed).equals(0);
    return row?.delivered === EVENTS * receivers.length;
  };

  it('reach each receiver, the first time in order, under one id however often', async () => {
    await Promise.all(Array.from({ length: PROCESSES }, launch));
    const ending = new AbortController();
    const killing = (async () => {
      const { signal } = ending;
      for (let kills = 0; kills < KILLS; kills++) {
        if (!(await sleep(600 + random.below(900), true, { signal }).catch(() => false))) return;
        const [victim] = processes.splice(random.below(processes.length), 1);
        if (victim) await kill(victim);
        await launch();
      }
    })();
    let left = EVENTS;
    while (left > 0) {
      const count = Math.min(left, 1 + random.below(20));
      await things.happen(count);
      left -= count;
      await sleep(random.below(60));
    }
    await until(isSettled);
    ending.abort();
    await killing;

    const everything = Array.from({ length: EVENTS }, (_, n) => n);
    for (const { numbers, received } of receivers) {
      expect(numbers).deep.equals(everything);
      expect(new Set(received.map(({ id, n }) => `${n} ${id}`)).size).equals(EVENTS);
      expect(new Set(received.map(({ id }) => id)).size).equals(EVENTS);
    }
  });
});

async function kill(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill('SIGKILL');
  await once(process, 'exit');
}
