import type { z } from 'zod';
import type { Queryable } from '../database/queryable.js';
import { findAccountIdEverNamed } from '../queries/accounts/accounts.js';
import { NOW, type Moment } from '../queries/moment.js';
import type { PageRequest } from '../queries/page.js';
import type { Actions } from './actions.js';
import { json, type Reply } from './answers/answer.js';
import { momentOf } from './moment.js';
import { pageReply, type PageQuery } from './answers/paging.js';
import type { Services } from './services.js';

/** An id that no account has. */
const NOBODY = 0;

/** Returns the id of the account to filter changes by: null for no filter; `NOBODY` for a name that nobody ever had. */
export async function accountIdFor(db: Queryable, name: string | undefined): Promise<number | null> {
  return name === undefined ? null : ((await findAccountIdEverNamed(db, name)) ?? NOBODY);
}

/** The page of a history to return, as of the position or time `as_of`; the present if it is left out. */
type HistoryPageQuery = z.output<typeof PageQuery> & { readonly as_of?: string | undefined };

/**
 * Answers with one page of a history, which `list` reads as of a moment from the table of a projection. The links fix
 * `as_of` to the moment of this listing, so that later changes do not shift the pages.
 */
export async function historyPage(
  { services, page, url }: Pick<Actions, 'services' | 'page' | 'url'>,
  query: HistoryPageQuery,
  projection: string,
  list: (at: Moment, part: PageRequest) => Promise<readonly [json: string, total: number]>,
): Promise<Reply> {
  const asked = await momentOf(query.as_of, services);
  const at = asked === NOW ? await lastShown(services, projection) : asked;
  const part = page(query);
  const [rows, total] = await list(at, part);
  const pinned = new URL(url);
  pinned.searchParams.set('as_of', at.toString());
  return pageReply(json(rows), total, part, pinned.href);
}

/** Returns the last position of the log; that of the projection if the read models do not show the last one within 2 s. */
async function lastShown(
  { log, readYourWrites }: Pick<Services, 'log' | 'readYourWrites'>,
  projection: string,
): Promise<Moment> {
  const last = await log.lastPosition();
  if (await readYourWrites.wait(last)) return last;
  const shown = readYourWrites.checkpoint(projection);
  return shown < last ? shown : last;
}
