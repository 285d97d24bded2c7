import { z } from 'zod';
import { visibility } from '../accounts/schema.js';
import { PageQuery } from '../answers/paging.js';
import {
  atMost,
  optional,
  orNothing,
  pathId,
  queryBoolean,
  requiredText,
  shownTime,
  webAddress,
} from '../schema.js';

const profile = {
  full_name: optional(atMost(100)),
  email: orNothing(atMost(255)),
  description: optional(atMost(255)),
  website: optional(webAddress.pipe(atMost(255))),
  location: optional(atMost(50)),
  visibility: optional(visibility),
  repo_admin_change_team_access: optional(z.boolean()),
};

/** The domain checks names. */
export const CreateOrganizationBody = z
  .object({ username: requiredText, ...profile })
  .meta({ id: 'CreateOrgOption' });
export const EditOrganizationBody = z.object(profile).meta({ id: 'EditOrgOption' });

/** A record, of which zod would leave `__proto__` out without a word, although it is no unit. */
const unitsMap = z.preprocess(
  (map, context) => {
    if (Object.hasOwn(Object(map) as object, '__proto__')) context.addIssue('unknown unit "__proto__"');
    return map;
  },
  z.record(z.string(), z.string()),
);

const team = {
  name: optional(z.string()),
  description: optional(atMost(255)),
  permission: optional(z.string()),
  units: optional(z.array(z.string())),
  units_map: optional(unitsMap),
  includes_all_repositories: optional(z.boolean()),
  can_create_org_repo: optional(z.boolean()),
};

/** The domain checks names, permissions and units. */
export const CreateTeamBody = z.object({ ...team, name: requiredText }).meta({ id: 'CreateTeamOption' });
export const EditTeamBody = z.object(team).meta({ id: 'EditTeamOption' });

export const OrganizationParams = z.object({ org: z.string() });
export const TeamParams = z.object({ id: pathId });
export const TeamMemberParams = z.object({ id: pathId, username: z.string() });

export const LabelParams = z.object({ org: z.string(), id: pathId });

export const TeamSearchQuery = PageQuery.extend({
  q: optional(z.string().trim()),
  include_desc: queryBoolean,
});

export const Organization = z
  .object({
    id: z.int(),
    name: z.string(),
    username: z.string(),
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    description: z.string(),
    website: z.string(),
    location: z.string(),
    visibility: z.string(),
    repo_admin_change_team_access: z.boolean(),
    created: shownTime,
  })
  .meta({ id: 'Organization' });

export const OrganizationPermissions = z
  .object({
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    can_write: z.boolean(),
    can_read: z.boolean(),
    can_create_repository: z.boolean(),
  })
  .meta({ id: 'OrganizationPermissions' });

export const Team = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    organization: Organization.nullable(),
    includes_all_repositories: z.boolean(),
    permission: z.string(),
    units: z.array(z.string()),
    units_map: z.record(z.string(), z.string()),
    can_create_org_repo: z.boolean(),
  })
  .meta({ id: 'Team' });
