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
import type { Queryable } from '../../database/database.js';
import type { Caller } from '../caller.js';
import { couldBeAName } from '../find.js';
import { isNarrow, refuseNarrowToken } from '../public-only.js';

interface Path<Params> {
  readonly db: Queryable;
  readonly caller: Caller;
  readonly params: Params;
}

/**
 * The organization that a path names, with what the caller is in it. One that the caller may not know of is 404 like
 * one that is not there; one that is not public is 403 for tokens that reach only what is.
 */
export async function organizationAt(path: Path<{ readonly org: string }>): Promise<OrganizationRow> {
  const { db, caller, params } = path;
  return known(await organizationNamed(db, params.org, caller), caller);
}

/** The organization of that name, with what the caller is in it; undefined where there is none. */
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
  const member = couldBeAName(username) ? username : ''; // nobody's
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

/** The team that a path names, in an organization that the caller may know of. */
export async function teamAt({ db, caller, params }: Path<{ readonly id: number }>): Promise<TeamMet> {
  const met = await findTeam(db, params.id, caller?.accountId ?? null);
  if (!met || !mayKnow(met.organization, caller)) throw teamAbsent();
  refuseNarrowToken(met.organization, caller);
  return met;
}

/** 404, where there is no such organization and where the caller may not know of it alike. */
export const organizationAbsent = () => notFound('organization.absent', 'no such organization');
/** 404, where there is no such team and where the caller may not know of it alike. */
export const teamAbsent = () => notFound('team.absent', 'no such team');

/** Whether the caller for whom the row was read is a member; owners are. */
export const isMember = ({ viewer_rank }: OrganizationTie): boolean => viewer_rank !== null;
/** Whether the caller for whom the row was read is in the team of owners. */
export const isOwner = ({ viewer_rank }: OrganizationRow): boolean => viewer_rank === rankOf('owner');

/** Who somebody is to organizations: what the rule of visibility looks at. */
interface Onlooker {
  readonly isAdmin: boolean;
  readonly restricted: boolean;
}

/** Whether somebody may know that an organization exists; `viewer_rank` is that one's. */
export function mayKnow(organization: OrganizationTie, onlooker: Onlooker | undefined): boolean {
  if (isMember(organization) || onlooker?.isAdmin) return true;
  if (onlooker?.restricted || organization.visibility === 'private') return false;
  return organization.visibility === 'public' || onlooker !== undefined;
}

/** Every visibility. */
const EVERYTHING = ['public', 'limited', 'private'];

/** Whom a list of all organizations is for. Private ones are listed to site administrators alone. */
export function viewerOfAll(caller: Caller): OrganizationViewer {
  if (!caller) return viewer(caller, ['public']);
  return viewer(caller, caller.isAdmin ? EVERYTHING : ['public', 'limited']);
}

/** Whom a list of one member's organizations is for: that member, site administrators, or others. */
export const viewerOfMember = (caller: Caller, isInside: boolean): OrganizationViewer =>
  isInside ? { ...viewer(caller, EVERYTHING), onlyOwn: false } : viewer(caller, ['public']);

const viewer = (caller: Caller, sees: readonly string[]): OrganizationViewer => ({
  id: caller?.accountId ?? null,
  sees: isNarrow(caller) ? ['public'] : sees,
  onlyOwn: caller !== undefined && caller.restricted && !caller.isAdmin,
});
