import { z } from 'zod';
import { takeOffIssuesOf } from '../../commands/issues/take-off.js';
import { removeMember } from '../../commands/organizations/remove-member.js';
import { notFound } from '../../domain/errors.js';
import { Organization } from '../../domain/organizations/organization.js';
import { listMembers, type MembershipMet } from '../../queries/organizations/members.js';
import type { Knower } from '../../queries/accounts/ties.js';
import type { OrganizationRow, OrganizationTie } from '../../queries/organizations/organizations.js';
import { anyone, signedInHere } from '../access.js';
import { presentUsers } from '../accounts/presenter.js';
import { User } from '../accounts/schema.js';
import { accountKnown, accountSeen, everybodyFor, isKnown, knowerOf } from '../accounts/visibility.js';
import type { Actions, ListRequest } from '../actions.js';
import type { Caller, Principal } from '../caller.js';
import { followMoved } from '../find.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { isOutOfReach } from '../public-only.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { organizationMember, organizationOwner } from './access.js';
import { isMember, membershipAt, organizationAt } from './place.js';

/** Tells whether the caller sees memberships that are not public. */
const seesConcealed = (organization: OrganizationTie, caller: Caller): boolean =>
  isMember(organization) || caller?.isAdmin === true;

/** Answers with a page of members. Those that the caller may not know of are left out, except for other members. */
async function list(
  { parent, caller, query, db, page, services }: ListRequest & { readonly parent: OrganizationRow },
  { onlyPublic }: { readonly onlyPublic: boolean },
) {
  const part = page(query);
  const asked = { organizationId: parent.id, concealed: !onlyPublic, ...usersSeen(parent, caller) };
  const [rows, total] = await listMembers(db, asked, part);
  return pageReply(await presentUsers(rows, caller, services), total, part);
}

const usersSeen = (organization: OrganizationRow, caller: Caller): Knower =>
  seesConcealed(organization, caller) ? everybodyFor(caller) : knowerOf(caller);

type MembershipRequest = Pick<Actions, 'db'> & {
  readonly caller: Caller;
  readonly params: { readonly username: string };
  readonly parent: MembershipMet;
};

/** Throws 404 if the user is not a member, or the caller is not told of it; `AccountMoved` for a former name. */
async function checkMember(
  { parent: { organization, membership }, params, caller, db }: MembershipRequest,
  { onlyPublic }: { readonly onlyPublic: boolean },
): Promise<void> {
  if (!membership) await followMoved(db, params.username, caller);
  const isInside = seesConcealed(organization, caller);
  const counts = membership !== undefined && (membership.is_public || (isInside && !onlyPublic));
  if (!counts || isOutOfReach(membership, caller) || !(isInside || (await isKnown(db, membership, caller))))
    throw notFound('organization.member_absent', 'not a member of the organization');
}

type OwnRequest = Actions & {
  readonly caller: Principal;
  readonly params: { readonly username: string };
  readonly parent: OrganizationRow;
};

/** Makes the caller's membership public or not. Throws 403 if the path names another user: only members decide. */
async function show(request: OwnRequest, type: 'PublicizeMembership' | 'ConcealMembership'): Promise<void> {
  const { parent, params, caller, handle, now } = request;
  const { id: accountId } = await accountKnown(request, params.username);
  if (accountId !== caller.accountId) throw new Refused(403, 'only the member itself');
  await handle(Organization, parent.id, { type, data: { accountId, at: now() } });
}

export const memberRoutes = [
  route({
    id: 'orgListMembers',
    method: 'GET',
    path: '/orgs/{org}/members',
    access: signedInHere,
    scope: 'organization',
    parent: organizationAt,
    query: PageQuery,
    answers: { 200: z.array(User), 401: problem, 404: problem },
    handle: (request) => list(request, { onlyPublic: !seesConcealed(request.parent, request.caller) }),
  }),

  route({
    id: 'orgIsMember',
    method: 'GET',
    path: '/orgs/{org}/members/{username}',
    access: signedInHere,
    scope: 'organization',
    parent: membershipAt,
    answers: { 204: nothing, 401: problem, 404: nothing },
    handle: (request) => checkMember(request, { onlyPublic: false }),
  }),

  route({
    id: 'orgDeleteMember',
    method: 'DELETE',
    path: '/orgs/{org}/members/{username}',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, services, context, wrote } = request;
      const { id: accountId } = await accountSeen(request, params.username);
      await wrote(await removeMember(services.commands, parent.id, accountId, context));
      await wrote(await takeOffIssuesOf(services, parent.id, accountId, context));
    },
  }),

  route({
    id: 'orgListPublicMembers',
    method: 'GET',
    path: '/orgs/{org}/public_members',
    access: anyone,
    scope: 'organization',
    parent: organizationAt,
    query: PageQuery,
    answers: { 200: z.array(User), 404: problem },
    handle: (request) => list(request, { onlyPublic: true }),
  }),

  route({
    id: 'orgIsPublicMember',
    method: 'GET',
    path: '/orgs/{org}/public_members/{username}',
    access: anyone,
    scope: 'organization',
    parent: membershipAt,
    answers: { 204: nothing, 404: nothing },
    handle: (request) => checkMember(request, { onlyPublic: true }),
  }),

  route({
    id: 'orgPublicizeMember',
    method: 'PUT',
    path: '/orgs/{org}/public_members/{username}',
    access: organizationMember,
    scope: 'organization',
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    handle: (request) => show(request, 'PublicizeMembership'),
  }),

  route({
    id: 'orgConcealMember',
    method: 'DELETE',
    path: '/orgs/{org}/public_members/{username}',
    access: organizationMember,
    scope: 'organization',
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    handle: (request) => show(request, 'ConcealMembership'),
  }),
];
