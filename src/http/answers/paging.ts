import { z } from 'zod';
import type { PageRequest } from '../../queries/page.js';
import { reply, type JsonText, type Reply } from './answer.js';
import { queryInteger } from '../schema.js';

export const PageQuery = z.object({ page: queryInteger, limit: queryInteger });

/** The number of rows on a page, by default and at most. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

/** A page of a list; `number` counts from 1. */
export interface Page extends PageRequest {
  readonly number: number;
}

// Keeps the offset within int8, so that it is no error of the database.
const MAX_PAGE = 1_000_000_000;

/** Returns the requested page, by default the first. `limit` is capped at the server's limit. */
export function pageOf({ page, limit }: z.output<typeof PageQuery>, limits: PageLimits): Page {
  const number = page > 0 ? Math.min(page, MAX_PAGE) : 1;
  const size = limit > 0 ? Math.min(limit, limits.maxLimit) : limits.defaultLimit;
  return { number, limit: size, offset: (number - 1) * size };
}

/** The response headers that a browser's script may read. */
export const EXPOSED_HEADERS =
  'Link, X-Total-Count, X-Request-Id, X-Tallyforge-Position, Location, Warning, ETag, Retry-After, Preference-Applied';

/** Answers with a page of a list and the total number; adds `Link` if `url` (absolute, of this request) is given. */
export const pageReply = (
  rows: readonly unknown[] | JsonText,
  total: number,
  page: Page,
  url?: string,
): Reply => reply(200, rows, pageHeaders(total, page, url));

/** Answers with a list that has no pages, and the number of its rows, which clients that page every list ask for. */
export const wholeReply = (rows: readonly unknown[]): Reply => reply(200, rows, totalHeaders(rows.length));

/** Returns the headers of `pageReply`, for a page that is only a part of its answer. */
export function pageHeaders(total: number, page: Page, url?: string): Readonly<Record<string, string>> {
  const link = url === undefined ? '' : linksTo(url, total, page);
  return { ...totalHeaders(total), ...(link && { Link: link }) };
}

const totalHeaders = (total: number) => ({
  'X-Total-Count': String(total),
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
});

/** Cuts a page from a list that was read whole. */
export const pageOfAll = <T>(all: readonly T[], { offset, limit }: Page): T[] =>
  all.slice(offset, offset + limit);

/** Makes the `Link` header; empty if there is only one page. A page beyond the end counts as the last one. */
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
