import type { OrganizationRow } from '../../queries/organizations/organizations.js';
import type { TeamMet } from '../../queries/organizations/teams.js';
import { signedIn, type Access } from '../access.js';
import type { Principal } from '../caller.js';
import { Refused } from '../refused.js';
import { isMember, isOwner, teamAbsent } from './place.js';

/** As `signedIn`, but asked only after what the path names was found. */
export const signedInHere: Access<Principal> = { ...signedIn, afterParent: true };

export const organizationMember: Access<Principal, OrganizationRow> = {
  name: 'member of the organization or site administrator',
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!principal.isAdmin && !isMember(place.parent))
      throw new Refused(403, 'members of the organization only');
    return principal;
  },
};

export const organizationOwner: Access<Principal, OrganizationRow> = {
  name: 'owner of the organization or site administrator',
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!principal.isAdmin && !isOwner(place.parent))
      throw new Refused(403, 'owners of the organization only');
    return principal;
  },
};

/** Strangers do not learn that the team exists. */
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

/** What members of the team are refused is 404, as elsewhere in the world of these clients. */
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
