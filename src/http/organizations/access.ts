import type { OrganizationRow } from '../../queries/organizations/organizations.js';
import type { TeamMet } from '../../queries/organizations/teams.js';
import { accessWhere, signedIn, type Access } from '../access.js';
import type { Principal } from '../caller.js';
import { Refused } from '../refused.js';
import { isMember, isOwner, teamAbsent } from './place.js';

export const organizationMember = accessWhere<OrganizationRow>(
  'member of the organization or site administrator',
  'members of the organization only',
  ({ isAdmin }, { parent }) => isAdmin || isMember(parent),
);

export const organizationOwner = accessWhere<OrganizationRow>(
  'owner of the organization or site administrator',
  'owners of the organization only',
  ({ isAdmin }, { parent }) => isAdmin || isOwner(parent),
);

/** Throws 404 for callers outside the organization, so that they do not learn that the team exists. */
export const teamReader: Access<Principal, TeamMet> = {
  name: 'member of the team, owner of its organization or site administrator',
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    const { organization, isMember: isTeamMember } = place.parent;
    if (principal.isAdmin || isOwner(organization) || isTeamMember) return principal;
    if (!isMember(organization)) throw teamAbsent();
    throw new Refused(403, 'members of the team only');
  },
};

/** Members of the team get 404 for what only owners may do, because clients expect that. */
export const teamOwner: Access<Principal, TeamMet> = {
  name: "owner of the team's organization or site administrator",
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    const { organization, isMember: isTeamMember } = place.parent;
    if (principal.isAdmin || isOwner(organization)) return principal;
    if (isTeamMember || !isMember(organization)) throw teamAbsent();
    throw new Refused(403, 'owners of the organization only');
  },
};
