import { together } from '../../database/together.js';
import type { ReadOptions } from '../event-store.js';
import type { Connection } from './connection.js';
import { readingEnds, type EndRow, type StreamEnd } from './statements.js';

/** How many events of an end are read together with other ends. */
const MOST = 8;

/**
 * Reads the events of a stream from a revision on, for a command that knows those before; there are few or none. The ends
 * that are asked for in one turn of the event loop are read by one statement, because each would take PostgreSQL and this
 * process more time to take up than to answer. Returns undefined if the options ask for something else, or if there may be
 * more events than are read in this way.
 */
export async function readEnd(
  connection: Connection,
  stream: string,
  { from = 0, direction, max = MOST }: ReadOptions,
): Promise<readonly EndRow[] | undefined> {
  if (from === 0 || direction === 'backwards' || max < MOST) return undefined;
  const rows = (await rowsOf(connection, `${from} ${stream}`)) ?? [];
  return rows.length < MOST ? rows : undefined;
}

const rowsOf = together(async (connection: Connection, keys: readonly string[]) => {
  const rows = keys.map((key): [string, EndRow[]] => [key, []]);
  for (const row of await connection.query<EndRow>(readingEnds(keys.map(endOf), MOST)))
    rows[Number(row[8]) - 1]?.[1].push(row);
  return new Map(rows);
});

function endOf(key: string): StreamEnd {
  const blank = key.indexOf(' ');
  return { stream: key.slice(blank + 1), from: Number(key.slice(0, blank)) };
}
