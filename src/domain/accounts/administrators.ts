import { Set } from 'immutable';
import type { Decider, Message } from '../decider.js';

export type AdministratorsCommand = Message<'AppointAdministrator', { accountId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
export type AdministratorsEvent = Message<
  'AdministratorAppointed',
  { accountId: number; appointedAt: string }
>;

interface State {
  readonly accountIds: Set<number>;
}

/** The site administrators of the instance, in one stream. */
export const Administrators: Decider<AdministratorsCommand, AdministratorsEvent, State> = {
  category: 'administrators',
  initialState: { accountIds: Set() },

  evolve: ({ accountIds }, { data }) => ({ accountIds: accountIds.add(data.accountId) }),

  decide({ data: { accountId, at } }, { accountIds }) {
    if (accountIds.has(accountId)) return [];
    return [{ type: 'AdministratorAppointed', data: { accountId, appointedAt: at } }];
  },
};

/** The only stream of its category: `administrators-main`. */
export const ADMINISTRATORS = 'main';
