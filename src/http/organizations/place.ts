import { notFound } from '../../domain/errors.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { findMembership, type MembershipMet } from '../../queries/organizations/members.js';
import {
  findOrganization,
  type OrganizationRow,
  type OrganizationTie,
  type OrganizationViewer,
} from '../../queries/organizations/organizations.js';
import { findTeam, type TeamMet } from '../../queries/organizations/teams.js';
import type { Queryable } from '../../database/queryable.js';
import type { Caller } from '../caller.js';
import { couldBeAName } from '../find.js';
import { isNarrow, refuseNarrowToken } from '../public-only.js';

interface Path<Params> {
  readonly db: Queryable;
  readonly caller: Caller;
  readonly params: Params;
}

/**
 * Finds the organization of a path, with the caller's rank in it. Throws 404 if there is none or the caller may not know
 * of it, and 403 if it is not public and the token is limited to what is public.
 */
export async function organizationAt(path: Path<{ readonly org: string }>): Promise<OrganizationRow> {
  const { db, caller, params } = path;
  return known(await organizationNamed(db, params.org, caller), caller);
}

/** Finds the organization of that name, with the caller's rank in it; undefined if there is none. */
export const organizationNamed = async (
  db: Queryable,
  name: string,
  caller: Caller,
): Promise<OrganizationRow | undefined> =>
  couldBeAName(name) ? findOrganization(db, name, caller?.accountId ?? null) : undefined;

/** As `organizationAt`, with the membership that the path asks about. */
export async function membershipAt(
  path: Path<{ readonly org: string; readonly username: string }>,
): Promise<MembershipMet> {
  const { db, caller } = path;
  const { org, username } = path.params;
  const member = couldBeAName(username) ? username : ''; // the name of nobody
  const met = couldBeAName(org)
    ? await findMembership(db, org, member, caller?.accountId ?? null)
    : undefined;
  return { organization: known(met?.organization, caller), membership: met?.membership };
}

function known<T extends OrganizationTie>(organization: T | undefined, caller: Caller): T {
  if (!organization || !mayKnow(organization, caller)) throw organizationAbsent();
  refuseNarrowToken(organization, caller);
  return organization;
}

/** Finds the team of a path, in an organization that the caller may know of. Throws 404 otherwise. */
export async function teamAt({ db, caller, params }: Path<{ readonly id: number }>): Promise<TeamMet> {
  const met = await findTeam(db, params.id, caller?.accountId ?? null);
  if (!met || !mayKnow(met.organization, caller)) throw teamAbsent();
  refuseNarrowToken(met.organization, caller);
  return met;
}

/** Makes the 404 for an organization that does not exist or that the caller may not know of. */
export const organizationAbsent = () => notFound('organization.absent', 'no such organization');
/** Makes the 404 for a team that does not exist or that the caller may not know of. */
export const teamAbsent = () => notFound('team.absent', 'no such team');

/** Tells whether the caller for whom the row was read is a member, as owners are. */
export const isMember = ({ viewer_rank }: OrganizationTie): boolean => viewer_rank !== null;
/** Tells whether the caller for whom the row was read is in the owners' team. */
export const isOwner = ({ viewer_rank }: OrganizationRow): boolean => viewer_rank === rankOf('owner');

/** What the rule of visibility needs to know of a user. */
interface Onlooker {
  readonly isAdmin: boolean;
  readonly restricted: boolean;
}

/** Tells whether a user may know that an organization exists; `viewer_rank` must be that user's. */
export function mayKnow(organization: OrganizationTie, onlooker: Onlooker | undefined): boolean {
  if (isMember(organization) || onlooker?.isAdmin) return true;
  if (onlooker?.restricted || organization.visibility === 'private') return false;
  return organization.visibility === 'public' || onlooker !== undefined;
}

/** All visibilities. */
const EVERYTHING = ['public', 'limited', 'private'];

/** Returns what the caller sees in a list of all organizations. Only site administrators see private ones. */
export function viewerOfAll(caller: Caller): OrganizationViewer {
  if (!caller) return viewer(caller, ['public']);
  return viewer(caller, caller.isAdmin ? EVERYTHING : ['public', 'limited']);
}

/** Returns what the caller sees of a member's organizations; `isInside` for that member and site administrators. */
export const viewerOfMember = (caller: Caller, isInside: boolean): OrganizationViewer =>
  isInside ? { ...viewer(caller, EVERYTHING), onlyOwn: false } : viewer(caller, ['public']);

const viewer = (caller: Caller, sees: readonly string[]): OrganizationViewer => ({
  id: caller?.accountId ?? null,
  sees: isNarrow(caller) ? ['public'] : sees,
  onlyOwn: caller !== undefined && caller.restricted && !caller.isAdmin,
});
