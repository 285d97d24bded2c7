import type { Route } from '../route.js';
import { createRepositoryRoutes } from './create.js';
import { repositoryDelete } from './delete.js';
import { editRepositoryRoute } from './edit.js';
import { getRepositoryRoutes } from './get.js';
import { repositoryListRoutes } from './lists.js';
import { migrateRoutes } from './migrate.js';
import { mirrorRoutes } from './mirrors.js';
import { branchProtectionRoutes } from './branch-protections/routes.js';
import { contentRoutes } from './content/routes.js';
import { collaboratorRoutes } from './collaborators.js';
import { deployKeyRoutes } from './deploy-keys.js';
import { statusRoutes } from './statuses.js';
import { topicRoutes } from './topics.js';
import { searchRepositoriesRoute } from './search.js';
import { transferRoutes } from './transfer.js';
import { repositoryTeamRoutes } from './teams.js';
import { templateRoutes } from './templates.js';
import { generateRoutes } from './generate.js';

export const repositoryRoutes: readonly Route[] = [
  ...createRepositoryRoutes,
  ...getRepositoryRoutes,
  ...repositoryListRoutes,
  searchRepositoriesRoute,
  editRepositoryRoute,
  repositoryDelete,
  ...migrateRoutes,
  ...mirrorRoutes,
  ...branchProtectionRoutes,
  ...collaboratorRoutes,
  ...contentRoutes,
  ...deployKeyRoutes,
  ...statusRoutes,
  ...repositoryTeamRoutes,
  ...topicRoutes,
  ...transferRoutes,
  ...templateRoutes,
  ...generateRoutes,
];
