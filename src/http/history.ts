import type { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { findAccountIdEverNamed } from '../queries/accounts/accounts.js';
import { NOW, type Moment } from '../queries/moment.js';
import type { PageRequest } from '../queries/page.js';
import type { Actions } from './actions.js';
import { json, type Reply } from './answers/answer.js';
import { momentOf } from './moment.js';
import { pageReply, type PageQuery } from './answers/paging.js';

/** An id that no account has. */
const NOBODY = 0;

/** Returns the id of the account to filter changes by: null for no filter; `NOBODY` for a name that nobody ever had. */
export async function accountIdFor(db: Queryable, name: string | undefined): Promise<number | null> {
  return name === undefined ? null : ((await findAccountIdEverNamed(db, name)) ?? NOBODY);
}

/** The page of a history to return, as of the position or time `as_of`; the present if it is left out. */
type HistoryPageQuery = z.output<typeof PageQuery> & { readonly as_of?: string | undefined };

/**
 * Answers with one page of a history, which `list` reads as of a moment. The links fix `as_of` to the moment of this
 * listing, so that later changes do not shift the pages. Waits up to 2 s for the read models to show all up to that
 * moment, as the next pages will.
 */
export async function historyPage(
  { services, page, url }: Pick<Actions, 'services' | 'page' | 'url'>,
  query: HistoryPageQuery,
  list: (at: Moment, part: PageRequest) => Promise<readonly [json: string, total: number]>,
): Promise<Reply> {
  const asked = await momentOf(query.as_of, services);
  const at = asked === NOW ? await services.log.lastPosition() : asked;
  await services.readYourWrites.wait(at);
  const part = page(query);
  const [rows, total] = await list(at, part);
  const pinned = new URL(url);
  pinned.searchParams.set('as_of', at.toString());
  return pageReply(json(rows), total, part, pinned.href);
}
