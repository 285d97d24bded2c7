import type { OrganizationFacts } from '../../queries/organizations/organizations.js';
import type { ListRequest } from '../actions.js';
import type { Reply } from '../answers/answer.js';
import { pageReply, type Page } from '../answers/paging.js';
import { presentOrganization } from './presenter.js';

/** Answers with the page of organizations that the query asks for; `read` returns its rows and the total number. */
export async function organizationsPage(
  { caller, query, page, services, url }: ListRequest,
  read: (part: Page) => readonly [rows: Promise<readonly OrganizationFacts[]>, total: Promise<number>],
): Promise<Reply> {
  const part = page(query);
  const [rows, total] = await Promise.all(read(part));
  const organizations = rows.map((row) => presentOrganization(row, caller, services));
  return pageReply(organizations, total, part, url);
}
