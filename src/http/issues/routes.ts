import { commentRoutes } from './comments.js';
import { issueConfigRoutes } from './config.js';
import { issueLabelRoutes } from './issue-labels.js';
import { issueRoutes as ownRoutes } from './issues.js';
import { labelRoutes } from './labels.js';
import { milestoneRoutes } from './milestones.js';
import { issueSearchRoutes } from './search.js';

export const issueRoutes = [
  ...ownRoutes,
  ...commentRoutes,
  ...issueLabelRoutes,
  ...labelRoutes,
  ...milestoneRoutes,
  ...issueSearchRoutes,
  ...issueConfigRoutes,
];
