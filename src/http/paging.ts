import { z } from 'zod';
import type { PageRequest } from '../queries/page.js';
import { reply, type JsonText, type Reply } from './answer.js';
import { queryInteger } from './schema.js';

export const PageQuery = z.object({ page: queryInteger, limit: queryInteger });

/** How many rows a page has by default, and at most. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

/** `number` counts from 1. */
export interface Page extends PageRequest {
  readonly number: number;
}

// An offset beyond what int8 holds would be an error of the database.
const MAX_PAGE = 1_000_000_000;

/** The page asked for: the first by default, `limit` cut to what the server gives. */
export function pageOf({ page, limit }: z.output<typeof PageQuery>, limits: PageLimits): Page {
  const number = page > 0 ? Math.min(page, MAX_PAGE) : 1;
  const size = limit > 0 ? Math.min(limit, limits.maxLimit) : limits.defaultLimit;
  return { number, limit: size, offset: (number - 1) * size };
}

/** Headers of answers that a browser's script may read. */
export const EXPOSED_HEADERS =
  'Link, X-Total-Count, X-Request-Id, X-Tallyforge-Position, Location, Warning, ETag, Retry-After, Preference-Applied';

/** One page of a list with the number of all rows; `url` (absolute, of this request) asks for `Link` as well. */
export const pageReply = (
  rows: readonly unknown[] | JsonText,
  total: number,
  page: Page,
  url?: string,
): Reply => reply(200, rows, pageHeaders(total, page, url));

/** The headers of `pageReply`, for a page that is a part of its answer. */
export function pageHeaders(total: number, page: Page, url?: string): Readonly<Record<string, string>> {
  const link = url === undefined ? '' : linksTo(url, total, page);
  return {
    'X-Total-Count': String(total),
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    ...(link && { Link: link }),
  };
}

/** The page of a list that is read whole. */
export const pageOfAll = <T>(all: readonly T[], { offset, limit }: Page): T[] =>
  all.slice(offset, offset + limit);

/** The `Link` header, empty where there is one page; a page beyond the end is taken for the last one. */
function linksTo(url: string, total: number, { number, limit }: Page): string {
  const last = Math.max(1, Math.ceil(total / limit));
  const current = Math.min(number, last);
  if (last === 1) return '';
  const target = new URL(url);
  const to = (page: number, rel: string) => {
    target.searchParams.set('page', String(page));
    return `<${target.href}>; rel="${rel}"`;
  };
  return [
    ...(current < last ? [to(current + 1, 'next'), to(last, 'last')] : []),
    ...(current > 1 ? [to(1, 'first'), to(current - 1, 'prev')] : []),
  ].join(',');
}
