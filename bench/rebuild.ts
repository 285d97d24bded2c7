import pg from 'pg';
import { Lane } from '../projections/engine/lane.js';
import { createSchema } from '../projections/engine/schemas.js';
import { ReadModel } from '../projections/engine/read-model.js';
import { projection, schemaOf, type Projection } from '../projections/projection.js';
import { Database } from '../src/database/database.js';
import type { QuotaMembershipEvent } from '../src/domain/quota/quota-membership.js';
import type { EventLog } from '../src/event-log/event-log.js';
import { START } from '../src/event-store/event-store.js';
import { createLogger } from '../src/logging/logger.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare, rate } from './harness/rounds.js';
import { added, fillLog, openLog } from './harness/sample-log.js';

const TARGETS = [
  {
    what: 'one row an event',
    atLeast: 50_000,
    key: (index: number) => `group ${index}`,
    projection: keeping(({ groupId }) => `group ${groupId}`),
  },
  {
    what: 'few rows',
    atLeast: 100_000,
    key: (index: number) => `group ${index % 100}`,
    projection: keeping(({ groupName }) => groupName),
  },
];

/** The minimum speed-up of a rebuild over writing the same rows one by one. */
const TIMES_ONE_BY_ONE = 8;

/** Measures building a read model from the first event, against one upsert for each event on one connection. */
export const rebuild: Question = {
  name: 'rebuild',
  about: 'a read model from the first event, against one statement an event',
  async answer(bench) {
    const url = await bench.database();
    const log = openLog(bench, url);
    const events = bench.quick ? 50_000 : 200_000;
    await fillLog(log, events, added);
    const oneByOne = await openConnection(bench, url);
    const findings: Finding[] = [];
    for (const { what, atLeast, key, projection } of TARGETS) {
      const table = `"${schemaOf(projection)}".groups`;
      let index = 0;
      const upsert = () =>
        oneByOne.query({
          name: table,
          text: `insert into ${table} values ($1, $2, now()) on conflict (name) do update set id = excluded.id, added_at = excluded.added_at`,
          values: [key(index), index++],
        });
      const { floor, subject, ratio } = await compare(
        bench.quick ? 1 : 5,
        async () => {
          await createTables(url, projection);
          return rate(1, 1, upsert);
        },
        () => build(url, log, projection, events),
      );
      const detail = `${figure(subject)} events/s, one by one ${figure(floor)}`;
      findings.push(
        { what, value: subject, unit: 'events/s', atLeast, detail },
        { what: `${what}, gain`, value: ratio, unit: '×', atLeast: TIMES_ONE_BY_ONE, detail },
      );
    }
    return findings;
  },
};

/** A projection of one table that keeps the last group under each key. */
function keeping(keyOf: (data: { groupId: number; groupName: string }) => string): Projection {
  return projection<QuotaMembershipEvent>()({
    name: 'bench-groups',
    version: 1,
    tables: { groups: { key: ['name'] } },
    on: {
      AddedToQuotaGroup: ({ data }, { groups }) =>
        groups.put({ name: keyOf(data), id: data.groupId, added_at: data.addedAt }),
    },
  });
}

/** `bench/migrations/`, as seen from `dist/bench`. */
const MIGRATIONS = new URL('../../bench/migrations/', import.meta.url);

async function createTables(url: string, projection: Projection): Promise<void> {
  const schema = schemaOf(projection);
  const database = new Database({ url, applicationName: 'bench' });
  try {
    await database.transaction(async (connection) => {
      await connection.rows(`drop schema if exists "${schema}" cascade`);
      await createSchema(connection, projection, schema, MIGRATIONS);
    });
  } finally {
    await database.close();
  }
}

/** Builds the read model anew and returns the events per second. */
async function build(url: string, log: EventLog, projection: Projection, events: number): Promise<number> {
  await createTables(url, projection);
  const database = new Database({ url, applicationName: 'bench' });
  try {
    const model = await ReadModel.open(database, projection, schemaOf(projection));
    const until = await log.lastPosition();
    const lane = new Lane(
      {
        database: { url, applicationName: 'bench' },
        source: log,
        log: createLogger({ name: 'bench', level: 'warn' }),
        notify: false,
        onFailure: ({ error }) => {
          throw error;
        },
      },
      [model],
      { position: START, recordedAt: new Date(0) },
    );
    const startedAt = performance.now();
    await lane.run({ signal: new AbortController().signal, until });
    return events / ((performance.now() - startedAt) / 1000);
  } finally {
    await database.close();
  }
}

async function openConnection(bench: Bench, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' });
  await client.connect();
  bench.onEnd(() => client.end());
  return client;
}
