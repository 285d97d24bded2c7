import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PostgresEventStore } from '../src/event-store/postgres/postgres-event-store.js';
import { run } from './harness/postgres.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare, rate } from './harness/rounds.js';

const WANTED = [
  { writers: 32, atLeast: 2.0 },
  { writers: 128, atLeast: 2.5 },
];

const data = { groupId: 7, groupName: 'a group', addedAt: '2026-01-01T00:00:00.000Z' };
const metadata = {
  actor: { id: 1, name: 'a sealed name in base64, as long as one of those' },
  $correlationId: randomUUID(),
  $causationId: randomUUID(),
  requestId: randomUUID(),
  at: '2026-01-01T00:00:00.000Z',
  schemaVersion: 1,
};

/** Measures appends of one event, each writer on its own stream, against inserts of rows with the same content. */
export const append: Question = {
  name: 'append',
  about: 'the PostgreSQL event store against one-row transactions of pg',
  async answer(bench) {
    const url = await bench.database();
    const subject = eventStoreWriters(bench, url);
    const floor = await plainWriters(bench, url);
    const seconds = bench.quick ? 0.4 : 1;
    const findings: Finding[] = [];
    for (const { writers, atLeast } of WANTED) {
      const { ratio, ...figures } = await compare(
        bench.quick ? 3 : 9,
        () => rate(writers, seconds, floor),
        () => rate(writers, seconds, subject()),
      );
      findings.push({
        what: `${writers} writers`,
        value: ratio,
        unit: '×',
        atLeast,
        detail: `${figure(figures.subject)} appends/s, pg ${figure(figures.floor)} rows/s`,
      });
    }
    return findings;
  },
};

function eventStoreWriters(bench: Bench, url: string) {
  const store = new PostgresEventStore({ url });
  bench.onEnd(() => store.close());
  return () => {
    const streams = new Map<number, { readonly name: string; revision: number }>();
    return async (writer: number) => {
      const stream = streams.get(writer) ?? { name: `quotaMembership-${randomUUID()}`, revision: -1 };
      streams.set(writer, stream);
      const expected = stream.revision < 0 ? 'noStream' : stream.revision;
      await store.append(stream.name, expected, [
        { id: randomUUID(), type: 'AddedToQuotaGroup', data, metadata },
      ]);
      stream.revision++;
    };
  };
}

async function plainWriters(bench: Bench, url: string) {
  await run(
    url,
    'create table floor_rows (id int8 generated always as identity primary key, data json, metadata json)',
  );
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  bench.onEnd(() => pool.end());
  return () =>
    pool.query({
      name: 'insert',
      text: 'insert into floor_rows (data, metadata) values ($1, $2)',
      values: [data, metadata],
    });
}
