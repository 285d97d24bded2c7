import { quotaGroupRoutes } from './groups.js';
import { quotaHistoryRoutes } from './history.js';
import { quotaMemberRoutes } from './members.js';
import { quotaRuleRoutes } from './rules.js';
import { quotaStandingRoutes } from './standing.js';
import { quotaUsedRoutes } from './used.js';

export const quotaRoutes = [
  ...quotaRuleRoutes,
  ...quotaGroupRoutes,
  ...quotaMemberRoutes,
  ...quotaStandingRoutes,
  ...quotaUsedRoutes,
  ...quotaHistoryRoutes,
];
