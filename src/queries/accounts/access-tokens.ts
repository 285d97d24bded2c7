import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** An access token as lists show it. Only the last eight characters of its secret are known here. */
export interface AccessTokenRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_eight: string;
  readonly created_at: Date;
}

/** Lists the access tokens of an account, newest first. */
export const listAccessTokens = (
  db: Queryable,
  accountId: number,
  { limit, offset }: PageRequest,
): Promise<AccessTokenRow[]> =>
  db.rows<AccessTokenRow>(sql`
    select id, name, scopes, last_eight, created_at from access_tokens
    where account_id = ${accountId} order by created_at desc, id desc limit ${limit} offset ${offset}`);

/** Counts the access tokens of an account. */
export const countAccessTokens = (db: Queryable, accountId: number): Promise<number> =>
  count(db, fragment`from access_tokens where account_id = ${accountId}`);
