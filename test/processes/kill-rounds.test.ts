import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { embeddedUrl } from '../../src/postgres/connection.js';
import { Random } from '../support/random.js';
import type { Role } from '../support/processes/family.js';
import { Installation } from '../support/processes/installation.js';
import { quotaClients } from '../support/processes/quota-client.js';
import {
  expectAcknowledged,
  expectToRead,
  readHistory,
  recordedIn,
} from '../support/processes/quota-reading.js';

/** What dies in a round; `the start` is everything, before it serves. */
type Victim = Role | 'everything' | 'the start';

/** In twenty rounds everything dies at once under load; in four of them once more as it starts again. */
const VICTIMS: readonly Victim[] = [
  ...Array<Victim>(16).fill('everything'),
  ...Array<Victim>(4).fill('the start'),
  ...(['supervisor', 'api', 'api', 'projector', 'projector', 'postgres', 'postgres', 'keeper'] as const),
];

const LONGEST_ROUND_MS = 600;

const seed = Number(process.env.KILL_ROUNDS_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('kill -9', function () {
  this.timeout(900_000);
  let installation: Installation;

  before(async () => {
    installation = await Installation.create();
  });
  after(() => installation.remove());
  afterEach(function () {
    if (this.currentTest?.state === 'failed') {
      console.error(`KILL_ROUNDS_SEED=${seed}\n${installation.logged().slice(-4_000)}`);
    }
  });

  it(`at ${VICTIMS.length} random moments loses no acknowledged write and doubles none`, async () => {
    const random = new Random(seed);
    await installation.start();
    const clients = await quotaClients(installation.admin, random);

    let seen = 0;
    for (const [index, victim] of random.shuffled(VICTIMS).entries()) {
      const round = `round ${index + 1}, ${victim}`;
      const moment = random.below(LONGEST_ROUND_MS);
      const stop = new AbortController();
      const load = Promise.all(clients.map((client) => client.run(stop.signal)));
      load.catch(() => undefined); // told below
      await sleep(moment);
      await strike(installation, victim, moment);
      await sleep(random.below(100)); // some go on, where what died is not missed
      stop.abort();
      await load;

      await expectAcknowledged(installation.admin, clients);
      const changes = await readHistory(installation.admin, seen);
      seen = changes.at(-1)?.position ?? seen;
      const recorded = recordedIn(changes);
      for (const client of clients) await client.settle(recorded);
      for (const [requestId, found] of recorded) {
        expect(
          clients.map((client) => client.recorded.get(requestId)).find(Boolean),
          `${round}: ${requestId}`,
        ).to.deep.equal(found);
      }
      await expectToRead(
        installation.admin,
        clients.map(({ model }) => model),
      );
    }

    const all = recordedIn(await readHistory(installation.admin, 0));
    const expected = clients.flatMap((client) => [...client.recorded]);
    expect(Object.fromEntries(all)).to.deep.equal(Object.fromEntries(expected));
    await expectGaplessLog(installation);
    await installation.stop();
  });

  it('leaves read models that are what the log makes them', async () => {
    expect(await installation.audit('--verify')).to.deep.include({ code: 0, stderr: '' });
    expect(await installation.rebuild('--all', '--verify')).to.deep.include({ code: 0 });
  });
});

/** Kills, and resolves when everything serves again. */
async function strike(installation: Installation, victim: Victim, moment: number): Promise<void> {
  switch (victim) {
    case 'the start':
      await installation.killEverything();
      installation.launch();
      await sleep(moment);
      await installation.killEverything();
      return installation.start();
    case 'everything':
      await installation.killEverything();
      return installation.start();
    case 'supervisor':
      await installation.kill('supervisor');
      return installation.start();
    default:
      await installation.kill(victim);
      return installation.isReady();
  }
}

/** Every position of the log from the first to the last, and every revision of every stream, is there once. */
async function expectGaplessLog({ dataDir }: Installation): Promise<void> {
  const client = new pg.Client(await embeddedUrl(dataDir));
  await client.connect();
  try {
    const { rows } = await client.query<{ gaps: number }>(`
      select count(*)::int as gaps from (
        select position - lag(position) over (order by position) as step,
               revision - lag(revision) over (partition by stream order by revision) as next
        from events.log) steps
      where step <> 1 or next <> 1`);
    expect(rows).to.deep.equal([{ gaps: 0 }]);
  } finally {
    await client.end();
  }
}
