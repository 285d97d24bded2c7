import { accountRoutes } from './accounts/routes.js';
import { webhookRoutes } from './hooks/routes.js';
import type { HttpConfig } from './services.js';
import { issueRoutes } from './issues/routes.js';
import { keyRoutes } from './keys/keys.js';
import { organizationQuotaRoutes } from './organizations/quota.js';
import { organizationRoutes } from './organizations/routes.js';
import { quotaRoutes } from './quota/routes.js';
import { markdownRoutes } from './markdown/routes.js';
import { forkRoutes } from './repositories/forks.js';
import { repositoryRoutes } from './repositories/routes.js';
import type { Route } from './route.js';
import { settingsRoutes } from './settings/settings.js';
import { getVersion } from './version/version.js';

/** Returns the routes of a server with this configuration. Features that are switched off have none. */
export const routesFor = ({ quota, copies }: Pick<HttpConfig, 'quota' | 'copies'>): Route[] => [
  getVersion,
  ...settingsRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...organizationRoutes,
  ...repositoryRoutes,
  ...(copies.forks ? forkRoutes : []),
  ...markdownRoutes,
  ...issueRoutes,
  ...webhookRoutes,
  ...(quota.enabled ? [...quotaRoutes, ...organizationQuotaRoutes] : []),
];
