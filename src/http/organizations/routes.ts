import { organizationLabelRoutes } from './labels.js';
import { memberRoutes } from './members.js';
import { membershipRoutes } from './memberships.js';
import { organizationRoutes as ownRoutes } from './organizations.js';
import { teamMemberRoutes } from './team-members.js';
import { teamRepositoryRoutes } from './team-repositories.js';
import { teamRoutes } from './teams.js';

export const organizationRoutes = [
  ...ownRoutes,
  ...membershipRoutes,
  ...memberRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...teamRepositoryRoutes,
  ...organizationLabelRoutes,
];
