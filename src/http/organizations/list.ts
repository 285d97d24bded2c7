import type { z } from 'zod';
import type { OrganizationFacts } from '../../queries/organizations/organizations.js';
import type { Actions } from '../actions.js';
import type { Reply } from '../answer.js';
import type { Caller } from '../caller.js';
import { pageReply, type Page, type PageQuery } from '../paging.js';
import { presentOrganization } from './presenter.js';

/** A request for a page of organizations: whose eyes they are shown to, and where its links lead. */
export type ListRequest = Pick<Actions, 'db' | 'page' | 'services' | 'url'> & {
  readonly caller: Caller;
  readonly query: z.output<typeof PageQuery>;
};

/** The page of organizations that the query asks for; `read` gives its rows, and the number of all. */
export async function organizationsPage(
  { caller, query, page, services, url }: ListRequest,
  read: (part: Page) => readonly [rows: Promise<readonly OrganizationFacts[]>, total: Promise<number>],
): Promise<Reply> {
  const part = page(query);
  const [rows, total] = await Promise.all(read(part));
  const view = { viewer: caller, baseUrl: services.config.baseUrl };
  const organizations = rows.map((row) => presentOrganization(row, view));
  return pageReply(organizations, total, part, url);
}
