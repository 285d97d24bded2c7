import { sql } from '../../database/sql.js';
import { WrongExpectedVersion, type Revision } from '../event-store.js';
import { jsonArray, plainArray, textArray } from './arrays.js';
import type { Connection } from './connection.js';
import type { PendingAppend } from './group-commit.js';

const NO_STREAM = -1;

/** Sends a group to `events.append` in one round trip and answers each append. Rejects if the whole group failed. */
export async function appendGroup(connection: Connection, group: readonly PendingAppend[]): Promise<void> {
  const answering = connection.query(appendStatement(group));
  // Readers are notified after the append, not in it, because NOTIFY holds a lock of the whole server until its commit.
  // If the notification is lost, readers find the events when they poll.
  connection.query(sql`select pg_notify('events', '')`).catch(() => undefined);
  const answers = await answering;
  for (const [index, append] of group.entries()) {
    const [revision, position] = answers[index] ?? [];
    if (position != null) append.resolve({ revision: Number(revision), position: BigInt(position) });
    else append.reject(new WrongExpectedVersion(append.stream, append.expected, actual(Number(revision))));
  }
}

function appendStatement(group: readonly PendingAppend[]) {
  const streams = group.map(({ stream }) => stream);
  const expected = group.map((append) => (append.expected === 'noStream' ? NO_STREAM : append.expected));
  const counts = group.map(({ events }) => events.length);
  const owners = group.flatMap(({ events }, index) => events.map(() => index + 1));
  const places = group.flatMap(({ events }) => events.map((_, index) => index + 1));
  const events = group.flatMap((append) => append.events);
  const ids = events.map(({ id }) => id);
  const types = events.map(({ type }) => type);
  const data = events.map((event) => event.data);
  const metadata = events.map((event) => event.metadata);
  const bytes = events.map((event) => event.bytes);
  return sql`select revision, position from events.append(
    ${textArray(streams)}, ${plainArray(expected)}, ${plainArray(counts)},
    ${plainArray(owners)}, ${plainArray(places)}, ${plainArray(ids)}, ${textArray(types)},
    ${jsonArray(data)}, ${jsonArray(metadata)}, ${plainArray(bytes)})`;
}

const actual = (revision: Revision) => (revision === NO_STREAM ? 'noStream' : revision);
