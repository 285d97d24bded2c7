import type { Queryable } from '../../src/database/database.js';
import type { Statement } from '../../src/database/sql.js';

/** The lines of the plans of all that is asked, and given no row; `explain` makes the question for one of them. */
export async function plansOf(
  db: Queryable,
  explain: (statement: Statement) => Statement | string,
  ask: (db: Queryable) => Promise<unknown>,
): Promise<string> {
  const lines: string[] = [];
  const explaining: Queryable = {
    async rows<R extends object>(statement: Statement | string): Promise<R[]> {
      const plan = await db.rows<{ 'QUERY PLAN': string }>(explain(statement as Statement));
      lines.push(...plan.map((line) => line['QUERY PLAN']));
      return [];
    },
  };
  await ask(explaining).catch(() => undefined); // it was given no row
  return lines.join('\n');
}
