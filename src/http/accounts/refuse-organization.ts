import { invalid } from '../../domain/errors.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';

/** Throws 422 for an organization, on routes that are for users only. */
export function refuseOrganization({ kind }: AccountRow): void {
  if (kind === 'organization') throw invalid('account.organization', 'Username', 'not for an organization');
}
