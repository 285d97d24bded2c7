import { invalid } from '../../domain/errors.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';

/** Refuses an organization where only a user can be meant. */
export function refuseOrganization({ kind }: AccountRow): void {
  if (kind === 'organization') throw invalid('account.organization', 'Username', 'not for an organization');
}
