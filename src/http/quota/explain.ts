import type { z } from 'zod';
import { NOW } from '../../queries/moment.js';
import { siteAdministrator } from '../access.js';
import type { Actions } from '../actions.js';
import { momentOf, untilShown } from '../moment.js';
import { organizationOwner } from '../organizations/access.js';
import { organizationAt } from '../organizations/place.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { explain } from './explanation.js';
import { ExplainQuery, QuotaExplanation } from './insights-schema.js';

type Request = Pick<Actions, 'db' | 'services'> & { readonly query: z.output<typeof ExplainQuery> };

/** Explains the decision for the account that `find` returns for the query's moment. */
async function explanationFor(
  { db, query: { subject, size, as_of }, services }: Request,
  find: (at: bigint) => Promise<{ readonly id: number; readonly name: string | null }>,
) {
  const at = await momentOf(as_of, services);
  const isPresent = at === NOW;
  // More may follow while this is read. It is left out, so that the position stands for just what is explained.
  const position = isPresent ? await services.log.lastPosition() : at;
  if (isPresent) await untilShown(services, position);
  const { id, name } = await find(at);
  const wanted = { subject, bytes: size === 0n ? undefined : size };
  return {
    user: { id, name },
    subject,
    size,
    as_of: as_of ?? null,
    position,
    ...(await explain(db, id, wanted, position, isPresent)),
  };
}

export const quotaExplainRoutes = [
  route({
    id: 'adminExplainUserQuota',
    method: 'GET',
    path: '/admin/users/{username}/quota/explain',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ find, params }) => find.accountId(params.username),
    query: ExplainQuery,
    answers: { 200: QuotaExplanation, 403: problem, 404: problem, 422: problem },
    handle: (request) => explanationFor(request, (at) => request.find.account(request.params.username, at)),
  }),

  route({
    id: 'orgExplainQuota',
    method: 'GET',
    path: '/orgs/{org}/quota/explain',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    query: ExplainQuery,
    answers: { 200: QuotaExplanation, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const explanation = await explanationFor(request, () => Promise.resolve(request.parent));
      return withoutActors(explanation);
    },
  }),
];

type Explanation = Awaited<ReturnType<typeof explanationFor>>;
type Change = Explanation['groups'][number]['created'];

/** For owners, who are not told which site administrator set their limits. */
const withoutActors = (explanation: Explanation) => ({
  ...explanation,
  groups: explanation.groups.map((group) => ({
    ...group,
    created: withoutActor(group.created),
    joined: withoutActor(group.joined),
    rules: group.rules.map((rule) => ({
      ...rule,
      set: withoutActor(rule.set),
      added: withoutActor(rule.added),
    })),
  })),
});

const withoutActor = (change: Change) => change && { ...change, actor: null };
