import type { Queryable } from '../../src/database/queryable.js';
import type { Statement } from '../../src/database/sql.js';

/** The plan of each statement that is asked, and given no row; `explain` makes the question for one of them. */
export async function plansOf(
  db: Queryable,
  explain: (statement: Statement) => Statement | string,
  ask: (db: Queryable) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  const explaining: Queryable = {
    async rows<R extends object>(statement: Statement | string): Promise<R[]> {
      const plan = await db.rows<{ 'QUERY PLAN': string }>(explain(statement as Statement));
      plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
      return [];
    },
  };
  await ask(explaining).catch(() => undefined); // it was given no row
  return plans;
}
