import type { z } from 'zod';
import { grantedUnits, rankOf } from '../../domain/organizations/team-access.js';
import type { TeamFacts } from '../../domain/organizations/team.js';
import type { OrganizationFacts, Standing } from '../../queries/organizations/organizations.js';
import type { TeamRow } from '../../queries/organizations/teams.js';
import type { Caller } from '../caller.js';
import type { PresenterServices } from '../services.js';
import { timeText } from '../answers/time-text.js';
import type { Organization, OrganizationPermissions, Team } from './schema.js';

type Profile = Pick<
  OrganizationFacts,
  | 'id'
  | 'name'
  | 'full_name'
  | 'email'
  | 'description'
  | 'website'
  | 'location'
  | 'visibility'
  | 'repo_admin_change_team_access'
  | 'created_at'
>;

/** Presents an organization to the viewer. */
export const presentOrganization = (
  row: Profile,
  viewer: Caller,
  { config }: Pick<PresenterServices, 'config'>,
): z.output<typeof Organization> => ({
  id: row.id,
  name: row.name ?? '',
  username: row.name ?? '',
  full_name: row.full_name ?? '',
  email: viewer ? (row.email ?? '') : '',
  avatar_url: `${config.baseUrl}/avatars/${row.id}`,
  description: row.description,
  website: row.website,
  location: row.location,
  visibility: row.visibility,
  repo_admin_change_team_access: row.repo_admin_change_team_access,
  created: timeText(row.created_at),
});

/** Presents a team; `organization` is null in lists and in answers to edits. */
export const presentTeam = (
  id: number,
  facts: TeamFacts,
  organization: z.output<typeof Organization> | null = null,
): z.output<typeof Team> => ({
  id,
  name: facts.name,
  description: facts.description,
  organization,
  includes_all_repositories: facts.includesAllRepositories,
  permission: facts.permission,
  units: [...grantedUnits(facts)],
  units_map: { ...facts.units },
  can_create_org_repo: facts.canCreateRepositories,
});

/** Presents a team's row; without its organization if the answer does not include that. */
export const presentTeamRow = (row: TeamRow, organization: z.output<typeof Organization> | null = null) =>
  presentTeam(
    row.id,
    {
      name: row.name,
      description: row.description,
      permission: row.permission,
      units: row.units,
      includesAllRepositories: row.includes_all_repositories,
      canCreateRepositories: row.can_create_repositories,
    },
    organization,
  );

/** Presents the rights that a user has in an organization through its teams. */
export function presentPermissions(standing: Standing): z.output<typeof OrganizationPermissions> {
  const { rank, can_create_repositories } = standing;
  const reaches = (level: 'read' | 'write' | 'admin' | 'owner') => rank !== null && rank >= rankOf(level);
  return {
    is_owner: reaches('owner'),
    is_admin: reaches('admin'),
    can_write: reaches('write'),
    can_read: reaches('read'),
    can_create_repository: can_create_repositories,
  };
}
