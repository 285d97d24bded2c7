import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountColumns, type AccountRow } from '../accounts/accounts.js';
import { namesIn } from '../accounts/commit-authors.js';

/**
 * Finds the accounts that own these e-mail addresses, by lower-case address, or whose hidden address one of them stands
 * for in the domain `placeholders`. Addresses that nobody owns are absent.
 */
export async function findAccountsByEmail(
  db: Queryable,
  emails: readonly string[],
  placeholders: string,
): Promise<ReadonlyMap<string, AccountRow>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))];
  if (wanted.length === 0) return new Map();
  const names = namesIn(placeholders, wanted);
  const owns = fragment`a.lower_emails && ${wanted}::text[]`;
  const isMeant =
    names.length === 0
      ? owns
      : fragment`(${owns} or (a.kind = 'user' and a.lower_name = any(${names}::text[])))`;
  const rows = await db.rows<AccountRow>(sql`
    select ${accountColumns} from accounts a where ${isMeant} and a.valid_until = ${still}`);
  const owned = new Map<string, AccountRow>();
  for (const row of rows) {
    for (const email of row.lower_emails) owned.set(email, row);
    if (row.kind === 'user' && row.lower_name !== null) owned.set(`${row.lower_name}@${placeholders}`, row);
  }
  return owned;
}
