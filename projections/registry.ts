import { accounts } from './accounts/accounts.js';
import type { Projection } from './projection.js';
import { quotaHistory } from './quota/quota-history.js';
import { quota } from './quota/quota.js';

/** Every read model there is. */
export const projections: readonly Projection[] = [accounts, quota, quotaHistory];
