import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { still } from '../moment.js';

/**
 * The names of users by addresses, in lower case: those that they let everybody see, and, at `placeholders`, the ones
 * that stand in for addresses that they hide.
 */
export async function findNamesByEmail(
  db: Queryable,
  lowerEmails: readonly string[],
  placeholders: string,
): Promise<ReadonlyMap<string, string>> {
  if (lowerEmails.length === 0) return new Map();
  const domain = `@${placeholders}`;
  const lowerNames = lowerEmails
    .filter((email) => email.endsWith(domain))
    .map((email) => email.slice(0, -domain.length));
  const rows = await db.rows<{ name: string; lower_name: string; shown: readonly string[] }>(sql`
    select name, lower_name, case when hide_email then '{}' else lower_emails end as shown from accounts
    where valid_until = ${still} and kind = 'user' and name is not null
      and ((lower_emails && ${lowerEmails}::text[] and not hide_email) or lower_name = any(${lowerNames}::text[]))`);
  return new Map(
    rows.flatMap(({ name, lower_name, shown }) =>
      [...shown, lower_name + domain].map((email): [string, string] => [email, name]),
    ),
  );
}
