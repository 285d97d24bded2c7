import { invalid } from '../../domain/errors.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';

/** For what users alone can do or have. */
export function refuseOrganization({ kind }: AccountRow, field = 'Username'): void {
  if (kind === 'organization') throw invalid('account.organization', field, 'not for an organization');
}
