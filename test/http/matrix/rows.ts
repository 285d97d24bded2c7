import { anybody } from './policy.js';
import type { Rows } from './row.js';
import { accountRows } from './rows/accounts.js';
import { keyRows } from './rows/keys.js';
import { organizationRows } from './rows/organizations.js';
import { quotaRows } from './rows/quota.js';

/** By operation id. */
export const rows: Rows = {
  getVersion: { policy: anybody },
  ...quotaRows,
  ...accountRows,
  ...keyRows,
  ...organizationRows,
};
