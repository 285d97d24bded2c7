import pg from 'pg';
import { embeddedUrl } from '../../../src/postgres/connection.js';
import type { Violations } from '../violations.js';

/** Every position of the log from the first to the last, and every revision of every stream, is there once. */
export async function compareLog(dataDir: string, violations: Violations): Promise<void> {
  const client = new pg.Client(await embeddedUrl(dataDir));
  await client.connect();
  try {
    const { rows } = await client.query<{ stream: string; position: string }>(`
      select stream, position from (
        select stream, position,
               position - lag(position) over (order by position) as step,
               revision - lag(revision, 1, -1) over (partition by stream order by revision) as next
        from events.log) steps
      where step <> 1 or next <> 1 order by position limit 10`);
    for (const { stream, position } of rows)
      violations.add(`log: before position ${position}, in ${stream}, something is missing or twice`);
  } finally {
    await client.end();
  }
}
