import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';

/** An e-mail address of a user. Each user has one primary address. */
export interface EmailRow {
  readonly email: string;
  readonly primary: boolean;
}

/** Lists the addresses of a user, the primary one first. */
export const listEmails = (db: Queryable, accountId: number): Promise<EmailRow[]> =>
  db.rows<EmailRow>(sql`
    select e.email, e.email = a.email as primary
    from accounts a cross join unnest(a.emails) with ordinality e (email, place)
    where a.id = ${accountId} and a.valid_until = ${still}
    order by e.email = a.email desc, e.place`);
