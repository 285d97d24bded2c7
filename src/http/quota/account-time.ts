import type { z } from 'zod';
import type { Queryable } from '../../database/queryable.js';
import { accountIdFor } from '../history.js';
import type { AccountTimeQuery } from './insights-schema.js';

/** Makes the filter of a list by account and time; null does not filter. */
export const accountTimeFilter = async (
  db: Queryable,
  { user, since, until }: z.output<typeof AccountTimeQuery>,
) => ({ accountId: await accountIdFor(db, user), since: since ?? null, until: until ?? null });
