import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** An access token as lists show it; of its secret, no more than the last eight characters is known here. */
export interface AccessTokenRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_eight: string;
  readonly created_at: Date;
}

/** The access tokens of an account, newest first. */
export const listAccessTokens = (
  db: Queryable,
  accountId: number,
  { limit, offset }: PageRequest,
): Promise<AccessTokenRow[]> =>
  db.rows<AccessTokenRow>(sql`
    select id, name, scopes, last_eight, created_at from access_tokens
    where account_id = ${accountId} order by created_at desc, id desc limit ${limit} offset ${offset}`);

/** How many tokens an account has. */
export const countAccessTokens = (db: Queryable, accountId: number): Promise<number> =>
  count(db, fragment`from access_tokens where account_id = ${accountId}`);
