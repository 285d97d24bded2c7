import { anybody } from './policy.js';
import type { Rows } from './row.js';
import { accountRows } from './rows/accounts.js';
import { issueRows } from './rows/issues.js';
import { hookRows } from './rows/hooks.js';
import { keyRows } from './rows/keys.js';
import { markdownRows } from './rows/markdown.js';
import { migrateRows } from './rows/migrate.js';
import { organizationRows } from './rows/organizations.js';
import { quotaRows } from './rows/quota.js';
import { repositoryContentRows } from './rows/repository-content.js';
import { repositoryPeopleRows } from './rows/repository-people.js';
import { repositoryRows } from './rows/repositories.js';

/** By operation id. */
export const rows: Rows = {
  getVersion: { policy: anybody },
  getGeneralAPISettings: { policy: anybody },
  getGeneralRepositorySettings: { policy: anybody },
  getGeneralUISettings: { policy: anybody },
  getGeneralAttachmentSettings: { policy: anybody },
  ...quotaRows,
  ...accountRows,
  ...keyRows,
  ...organizationRows,
  ...repositoryRows,
  ...repositoryContentRows,
  ...repositoryPeopleRows,
  ...migrateRows,
  ...markdownRows,
  ...hookRows,
  ...issueRows,
};
