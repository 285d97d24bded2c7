import { quotaExplainRoutes } from './explain.js';
import { quotaGroupRoutes } from './groups.js';
import { quotaHistoryRoutes } from './history.js';
import { quotaMemberRoutes } from './members.js';
import { quotaRefusalRoutes } from './refusals.js';
import { quotaRehearsalRoutes } from './rehearsals.js';
import { quotaRuleRoutes } from './rules.js';
import { quotaStandingRoutes } from './standing.js';
import { quotaThresholdRoutes } from './thresholds.js';
import { quotaUsageRoutes } from './usage.js';
import { quotaUsedRoutes } from './used.js';

export const quotaRoutes = [
  ...quotaRuleRoutes,
  ...quotaGroupRoutes,
  ...quotaMemberRoutes,
  ...quotaStandingRoutes,
  ...quotaExplainRoutes,
  ...quotaUsedRoutes,
  ...quotaHistoryRoutes,
  ...quotaRefusalRoutes,
  ...quotaThresholdRoutes,
  ...quotaUsageRoutes,
  ...quotaRehearsalRoutes,
];
