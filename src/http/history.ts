import type { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { findAccountIdEverNamed } from '../queries/accounts/accounts.js';
import { NOW, type Moment } from '../queries/moment.js';
import type { PageRequest } from '../queries/page.js';
import type { Actions } from './actions.js';
import { json, type Reply } from './answer.js';
import { momentOf } from './moment.js';
import { pageReply, type PageQuery } from './paging.js';

/** An id that no account has. */
const NOBODY = 0;

/** Whose changes a history is asked for: null does not narrow, and a name that nobody ever had finds nothing. */
export async function accountIdFor(db: Queryable, name: string | undefined): Promise<number | null> {
  return name === undefined ? null : ((await findAccountIdEverNamed(db, name)) ?? NOBODY);
}

/** The page of a history that is asked for; `as_of` is a position or a time, the present where it is left out. */
type HistoryPageQuery = z.output<typeof PageQuery> & { readonly as_of?: string | undefined };

/** The changes up to a moment, newest first: one page of them as the JSON text of a list, and how many there are. */
interface HistoryLists {
  readonly list: (at: Moment, part: PageRequest) => Promise<string>;
  readonly count: (at: Moment) => Promise<number>;
}

/** One page of a history. Its links name the moment of this listing, so that changes made meanwhile do not shift its pages. */
export async function historyPage(
  { services, page, url }: Pick<Actions, 'services' | 'page' | 'url'>,
  query: HistoryPageQuery,
  { list, count }: HistoryLists,
): Promise<Reply> {
  const asked = await momentOf(query.as_of, services);
  const at = asked === NOW ? await services.log.lastPosition() : asked;
  const part = page(query);
  const [rows, total] = await Promise.all([list(at, part), count(at)]);
  const pinned = new URL(url);
  pinned.searchParams.set('as_of', at.toString());
  return pageReply(json(rows), total, part, pinned.href);
}
