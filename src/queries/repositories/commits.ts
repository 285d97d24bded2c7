import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { accountColumns, type AccountRow } from '../accounts/accounts.js';
import { still } from '../moment.js';

/** Finds the accounts that own these e-mail addresses, by lower-case address. Addresses that nobody owns are absent. */
export async function findAccountsByEmail(
  db: Queryable,
  emails: readonly string[],
): Promise<ReadonlyMap<string, AccountRow>> {
  const wanted = new Set(emails.map((email) => email.toLowerCase()));
  if (wanted.size === 0) return new Map();
  const rows = await db.rows<AccountRow>(sql`
    select ${accountColumns} from accounts a
    where a.lower_emails && ${[...wanted]}::text[] and a.valid_until = ${still}`);
  return new Map(rows.flatMap((row) => row.lower_emails.map((email) => [email, row])));
}
