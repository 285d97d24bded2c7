import { z } from 'zod';
import { badRequest } from '../../domain/errors.js';
import type { Queryable } from '../../database/queryable.js';
import { fragment, type Fragment } from '../../database/sql.js';
import { findMilestoneIds } from '../../queries/issues/milestones.js';
import type { IssueFilter } from '../../queries/issues/issue-filter.js';
import { searchIssues } from '../../queries/issues/issue-lists.js';
import { findLabelIds, hadByTeam } from '../../queries/issues/search.js';
import { visibleTo } from '../../queries/repositories/access.js';
import { findRepositoriesById } from '../../queries/repositories/repositories.js';
import { anyone } from '../access.js';
import type { Caller } from '../caller.js';
import { knownAccountNamed } from '../find.js';
import { pageReply } from '../answers/paging.js';
import { listed } from '../query.js';
import { viewerOf } from '../repositories/place.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { stateOf, wordsIn } from './filter.js';
import { presentIssuesOf } from './presenter.js';
import { Issue, SearchQuery } from './schema.js';
import { rangeOf } from './times.js';

const DEFAULT_LIMIT = 20;

/** Returns the condition for the repositories to search, among those whose issues the caller may read. */
async function placesIn(
  db: Queryable,
  caller: Caller,
  { owner = '', team = '' }: z.output<typeof SearchQuery>,
): Promise<Fragment> {
  const viewer = viewerOf(caller);
  const seen = visibleTo(viewer, 'repo.issues');
  if (owner === '') {
    if (team !== '') throw badRequest('issues.team', 'team needs an owner');
    return seen;
  }
  const account = await knownAccountNamed(db, owner, caller);
  if (!account) throw badRequest('issues.owner', 'no such owner');
  const owned = fragment`${seen} and r.owner_id = ${account.id}`;
  if (team === '') return owned;
  const ofTeam = await hadByTeam(db, account.id, team, viewer);
  if (!ofTeam) throw badRequest('issues.team', 'no such team');
  return fragment`${owned} and ${ofTeam}`;
}

/** Makes the filter of a query; undefined if nothing can match. */
async function filterOf(
  db: Queryable,
  caller: Caller,
  query: z.output<typeof SearchQuery>,
): Promise<IssueFilter | undefined> {
  const range = rangeOf(query);
  if (query.type === 'pulls') return undefined;
  if (caller && (query.review_requested === true || query.reviewed === true)) return undefined; // there are no reviews
  const labels = listed(query.labels);
  const milestones = listed(query.milestones);
  const found = labels.length > 0 ? await findLabelIds(db, labels) : undefined;
  const labelIds = found && [...found.ofRepositories, ...found.ofOrganizations];
  const milestoneIds = milestones.length > 0 ? await findMilestoneIds(db, undefined, milestones) : undefined;
  if (labelIds?.length === 0 || milestoneIds?.length === 0) return undefined;
  return {
    isClosed: stateOf(query.state),
    labelIds: labelIds && [labelIds],
    organizationLabelIds: found?.ofOrganizations,
    milestoneIds,
    words: wordsIn(query.q),
    ...range,
    posterId: query.created === true ? caller?.accountId : undefined,
    assigneeId: query.assigned === true ? caller?.accountId : undefined,
    mentioned: query.mentioned === true ? caller?.name : undefined,
  };
}

export const issueSearchRoutes = [
  route({
    id: 'issueSearchIssues',
    method: 'GET',
    path: '/repos/issues/search',
    access: anyone,
    scope: 'issue',
    query: SearchQuery,
    answers: { 200: z.array(Issue), 400: problem, 403: problem, 422: problem },
    async handle({ query, caller, db, services, page, url }) {
      const part = page({ ...query, limit: query.limit > 0 ? query.limit : DEFAULT_LIMIT });
      const places = await placesIn(db, caller, query);
      const filter = await filterOf(db, caller, query);
      if (!filter) return pageReply([], 0, part, url);
      const [rows, total] = await searchIssues(db, places, filter, part);
      const ids = [...new Set(rows.map(({ repository_id }) => repository_id))];
      const repositories = await findRepositoriesById(db, ids, viewerOf(caller));
      return pageReply(await presentIssuesOf(rows, repositories, caller, services), total, part, url);
    },
  }),
];
