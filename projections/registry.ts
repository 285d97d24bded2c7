import { accountHistory } from './accounts/account-history.js';
import { accounts } from './accounts/accounts.js';
import { grants } from './organizations/grants.js';
import { hooks } from './hooks/hooks.js';
import { issues } from './issues/issues.js';
import { organizationLabels } from './organizations/organization-labels.js';
import { organizations } from './organizations/organizations.js';
import type { Projection } from './projection.js';
import { quotaHistory } from './quota/quota-history.js';
import { quotaInsights } from './quota/quota-insights.js';
import { quota } from './quota/quota.js';
import { repositories } from './repositories/repositories.js';
import { commitStatuses } from './repositories/commit-statuses.js';
import { repositoryParts } from './repositories/repository-parts.js';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  accounts,
  organizations,
  organizationLabels,
  grants,
  repositories,
  repositoryParts,
  commitStatuses,
  issues,
  hooks,
  quota,
  quotaHistory,
  quotaInsights,
  accountHistory,
];
