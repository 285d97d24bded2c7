import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { still } from '../moment.js';

/** An address of a user; one of the user's is the primary one. */
export interface EmailRow {
  readonly email: string;
  readonly primary: boolean;
}

/** The addresses of a user, the primary one first. */
export const listEmails = (db: Queryable, accountId: number): Promise<EmailRow[]> =>
  db.rows<EmailRow>(sql`
    select e.email, e.email = a.email as primary
    from accounts a cross join unnest(a.emails) with ordinality e (email, place)
    where a.id = ${accountId} and a.valid_until = ${still}
    order by e.email = a.email desc, e.place`);
