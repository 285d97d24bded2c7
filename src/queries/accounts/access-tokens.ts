import type { Queryable } from '../../database/queryable.js';
import { fragment } from '../../database/sql.js';
import { paged, type Paged, type PageRequest } from '../page.js';

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
  part: PageRequest,
): Promise<Paged<AccessTokenRow>> =>
  paged(db, part, {
    columns: fragment`id, name, scopes, last_eight, created_at`,
    from: fragment`from access_tokens where account_id = ${accountId}`,
    orderBy: fragment`created_at desc, id desc`,
  });
