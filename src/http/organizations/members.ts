import { z } from 'zod';
import { takeOffIssuesOf } from '../../commands/issues/take-off.js';
import { notFound } from '../../domain/errors.js';
import { Organization } from '../../domain/organizations/organization.js';
import { countMembers, listMembers, type MembershipMet } from '../../queries/organizations/members.js';
import type { Knower } from '../../queries/accounts/ties.js';
import type { OrganizationRow, OrganizationTie } from '../../queries/organizations/organizations.js';
import { anyone } from '../access.js';
import { presentUsers } from '../accounts/presenter.js';
import { User } from '../accounts/schema.js';
import { accountKnown, everybodyFor, isKnown, knowerOf } from '../accounts/visibility.js';
import type { Actions } from '../actions.js';
import type { Caller, Principal } from '../caller.js';
import { followMoved } from '../find.js';
import { pageReply, PageQuery } from '../paging.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { organizationMember, organizationOwner, signedInHere } from './access.js';
import { isMember, membershipAt, organizationAt } from './place.js';
import { MemberParams, OrganizationParams } from './schema.js';

/** Whether the caller sees who is a member without saying so to all. */
const seesConcealed = (organization: OrganizationTie, caller: Caller): boolean =>
  isMember(organization) || caller?.isAdmin === true;

type Request = Pick<Actions, 'db' | 'find' | 'page' | 'services'> & { readonly parent: OrganizationRow };

/** Members that the caller may not know of are left out; who is in the organization knows of all. */
async function list(
  { parent, caller, query, db, page, services }: ListRequest,
  { onlyPublic }: { readonly onlyPublic: boolean },
) {
  const part = page(query);
  const asked = { organizationId: parent.id, concealed: !onlyPublic, ...usersSeen(parent, caller) };
  const [rows, total] = await Promise.all([listMembers(db, asked, part), countMembers(db, asked)]);
  return pageReply(await presentUsers(rows, caller, services), total, part);
}

const usersSeen = (organization: OrganizationRow, caller: Caller): Knower =>
  seesConcealed(organization, caller) ? everybodyFor(caller) : knowerOf(caller);

type ListRequest = Request & { readonly caller: Caller; readonly query: z.output<typeof PageQuery> };
type MemberRequest = Request & { readonly params: z.output<typeof MemberParams> };

type MembershipRequest = Pick<Actions, 'db'> & {
  readonly caller: Caller;
  readonly params: z.output<typeof MemberParams>;
  readonly parent: MembershipMet;
};

/** Refuses where somebody is no member, as is whom the caller may not know of; a former name leads on. */
async function checkMember(
  { parent: { organization, membership }, params, caller, db }: MembershipRequest,
  { onlyPublic }: { readonly onlyPublic: boolean },
): Promise<void> {
  if (!membership) await followMoved(db, params.username, caller);
  const isInside = seesConcealed(organization, caller);
  const counts = membership !== undefined && (membership.is_public || (isInside && !onlyPublic));
  if (!counts || !(isInside || (await isKnown(db, membership, caller))))
    throw notFound('organization.member_absent', 'not a member of the organization');
}

/** The id of the user that the path names, which must be the caller: nobody else says whether a membership is seen. */
async function self(request: MemberRequest & { readonly caller: Principal }): Promise<number> {
  const { id: accountId } = await accountKnown(request, request.params.username);
  if (accountId !== request.caller.accountId) throw new Refused(403, 'only the member itself');
  return accountId;
}

export const memberRoutes = [
  route({
    id: 'orgListMembers',
    method: 'GET',
    path: '/orgs/{org}/members',
    access: signedInHere,
    scope: 'organization',
    params: OrganizationParams,
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
    params: MemberParams,
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
    params: MemberParams,
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, handle, now, services, context, wrote } = request;
      const { id: accountId } = await accountKnown(request, params.username);
      await handle(Organization, parent.id, { type: 'RemoveMember', data: { accountId, at: now() } });
      await wrote(await takeOffIssuesOf(services, parent.id, accountId, context));
    },
  }),

  route({
    id: 'orgListPublicMembers',
    method: 'GET',
    path: '/orgs/{org}/public_members',
    access: anyone,
    scope: 'organization',
    params: OrganizationParams,
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
    params: MemberParams,
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
    params: MemberParams,
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { parent, handle, now } = request;
      const data = { accountId: await self(request), at: now() };
      await handle(Organization, parent.id, { type: 'PublicizeMembership', data });
    },
  }),

  route({
    id: 'orgConcealMember',
    method: 'DELETE',
    path: '/orgs/{org}/public_members/{username}',
    access: organizationMember,
    scope: 'organization',
    params: MemberParams,
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { parent, handle, now } = request;
      const data = { accountId: await self(request), at: now() };
      await handle(Organization, parent.id, { type: 'ConcealMembership', data });
    },
  }),
];
