import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { invalid } from '../errors.js';

/** The commands of the site administrators. A command that changes nothing records nothing. */
export type AdministratorsCommand =
  | Message<'AppointAdministrator', { accountId: number; at: string }>
  | Message<'DismissAdministrator', { accountId: number; at: string }>
  /** Sent when an account is closed (`suspended`) or opened again. Does nothing if it is no administrator. */
  | Message<'SuspendAdministrator', { accountId: number; suspended: boolean; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of the site administrators. Suspended ones remain administrators, but cannot sign in. */
export type AdministratorsEvent =
  | Message<'AdministratorAppointed', { accountId: number; appointedAt: string }>
  | Message<'AdministratorDismissed', { accountId: number; dismissedAt: string }>
  | Message<'AdministratorSuspended', { accountId: number; suspendedAt: string }>
  | Message<'AdministratorReinstated', { accountId: number; reinstatedAt: string }>;

interface State {
  /** All site administrators; false for those who are suspended and cannot sign in. */
  readonly canAct: Map<number, boolean>;
}

/** The site administrators of the instance, in one stream, so that at least one who can act always remains. */
export const Administrators: Decider<AdministratorsCommand, AdministratorsEvent, State> = {
  category: 'administrators',
  initialState: { canAct: Map() },

  evolve({ canAct }, { type, data: { accountId } }) {
    switch (type) {
      case 'AdministratorAppointed':
      case 'AdministratorReinstated':
        return { canAct: canAct.set(accountId, true) };
      case 'AdministratorDismissed':
        return { canAct: canAct.delete(accountId) };
      case 'AdministratorSuspended':
        return { canAct: canAct.set(accountId, false) };
    }
  },

  decide({ type, data }, { canAct }) {
    const { accountId, at } = data;
    switch (type) {
      case 'AppointAdministrator':
        if (canAct.has(accountId)) return [];
        return [{ type: 'AdministratorAppointed', data: { accountId, appointedAt: at } }];
      case 'DismissAdministrator':
        if (!canAct.has(accountId)) return [];
        checkAnotherCanAct(canAct, accountId);
        return [{ type: 'AdministratorDismissed', data: { accountId, dismissedAt: at } }];
      case 'SuspendAdministrator':
        if (canAct.get(accountId) !== data.suspended) return []; // undefined if the account is no administrator
        if (!data.suspended)
          return [{ type: 'AdministratorReinstated', data: { accountId, reinstatedAt: at } }];
        checkAnotherCanAct(canAct, accountId);
        return [{ type: 'AdministratorSuspended', data: { accountId, suspendedAt: at } }];
    }
  },
};

/** The only stream of its category: `administrators-main`. */
export const ADMINISTRATORS = 'main';

function checkAnotherCanAct(canAct: Map<number, boolean>, accountId: number): void {
  if (!canAct.some((can, id) => can && id !== accountId))
    throw invalid('administrators.last', 'Admin', 'the last site administrator who can sign in stays one');
}
