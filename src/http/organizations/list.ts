import type { OrganizationFacts } from '../../queries/organizations/organizations.js';
import type { Paged } from '../../queries/page.js';
import type { ListRequest } from '../actions.js';
import type { Reply } from '../answers/answer.js';
import { pageReply, type Page } from '../answers/paging.js';
import { presentOrganization } from './presenter.js';

/** Answers with the page of organizations that the query asks for, as `list` reads it. */
export async function organizationsPage(
  { caller, query, page, services, url }: ListRequest,
  list: (part: Page) => Promise<Paged<OrganizationFacts>>,
): Promise<Reply> {
  const part = page(query);
  const [rows, total] = await list(part);
  const organizations = rows.map((row) => presentOrganization(row, caller, services));
  return pageReply(organizations, total, part, url);
}
