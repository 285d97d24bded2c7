import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';

/** Returns the lower-case names in those of the addresses that stand for hidden ones, in the domain `placeholders`. */
export function namesIn(placeholders: string, lowerEmails: readonly string[]): string[] {
  const domain = `@${placeholders}`;
  return lowerEmails.filter((email) => email.endsWith(domain)).map((email) => email.slice(0, -domain.length));
}

/**
 * Finds the names of public users by lower-case e-mail address: by the addresses that they show and, in the domain
 * `placeholders`, by those that stand for hidden ones. Not everybody may know of other users.
 */
export async function findNamesByEmail(
  db: Queryable,
  lowerEmails: readonly string[],
  placeholders: string,
): Promise<ReadonlyMap<string, string>> {
  if (lowerEmails.length === 0) return new Map();
  const lowerNames = namesIn(placeholders, lowerEmails);
  const rows = await db.rows<{ name: string; lower_name: string; shown: readonly string[] }>(sql`
    select name, lower_name, case when hide_email then '{}' else lower_emails end as shown from accounts
    where valid_until = ${still} and kind = 'user' and visibility = 'public' and name is not null
      and ((lower_emails && ${lowerEmails}::text[] and not hide_email) or lower_name = any(${lowerNames}::text[]))`);
  return new Map(
    rows.flatMap(({ name, lower_name, shown }) =>
      [...shown, `${lower_name}@${placeholders}`].map((email): [string, string] => [email, name]),
    ),
  );
}
