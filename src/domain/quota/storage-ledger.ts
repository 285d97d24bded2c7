import type { DataOf, Decider } from '../decider.js';
import { snapshotForm } from '../snapshot.js';
import type { QuotaGroup } from './evaluation.js';
import type { StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';
import {
  emptyLedger,
  evolveLedger,
  keyOf,
  reservationsOf,
  type StorageLedgerState,
} from './storage-ledger-state.js';
import {
  checkRoom,
  release,
  released,
  renew,
  reserve,
  settle,
  withoutOverdue,
} from './storage-reservations.js';
import { moveUsage, recordUsage } from './storage-usage.js';
import { usageSubjects } from './subjects.js';
import { crossings } from './thresholds.js';

export type { StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';

/** The ledger of one account: the bytes of each object that it owns, by the subject that counts them, and reservations. */
export const StorageLedger: Decider<StorageLedgerCommand, StorageLedgerEvent, StorageLedgerState> = {
  category: 'storageLedger',
  initialState: emptyLedger,
  snapshot: snapshotForm(2),

  evolve: evolveLedger,

  decide(command, state) {
    const events = decideStorage(command, state);
    const after = events.reduce(evolveLedger, state);
    if (after.usage === state.usage) return events;
    const usage = { before: state.usage, after: after.usage };
    return [...events, ...crossings(after.levels, groupsOf(command), usage, command.data.at)];
  },
};

/** Decides the changes of usage and reservations, without the thresholds that they cross. */
function decideStorage(
  { type, data }: StorageLedgerCommand,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  switch (type) {
    case 'CheckRoom':
      return checkRoom(data, state);
    case 'ReserveStorage':
      return reserve(data, state);
    case 'RenewReservation':
      return renew(data, state);
    case 'SettleReservation':
      return settle(data, state);
    case 'ReleaseReservation':
      return release(data, state);
    case 'SettleOverdue':
      return withoutOverdue(state, data.overdue, data.at).events;
    case 'RecordUsage':
      return recordUsage(data, state, data.at);
    case 'MoveUsage':
      return moveUsage(data, state);
    case 'ForgetObject':
      return forget(data, state);
  }
}

/** Removes an object that the account no longer owns, together with its reservations. */
function forget(
  { objectId, isOwned = false, at }: DataOf<StorageLedgerCommand, 'ForgetObject'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  if (isOwned) return [];
  const entries = usageSubjects.flatMap((subject) => {
    const bytes = state.entries.get(keyOf(objectId, subject));
    if (bytes === undefined) return [];
    return [{ subject, bytes: bytes.toString(), total: (state.usage[subject] - bytes).toString() }];
  });
  const open = [...reservationsOf(state, objectId)];
  if (entries.length === 0 && open.length === 0) return [];
  return [
    ...open.map(([id, reservation]) => released(id, reservation, 'forgotten', at)),
    { type: 'ObjectForgotten', data: { objectId, entries, forgottenAt: at } },
  ];
}

/** Returns the groups that apply to the account. A release carries none, because it changes no usage. */
function groupsOf({ data }: StorageLedgerCommand): readonly QuotaGroup[] {
  if ('quota' in data) return data.quota.groups;
  return 'groups' in data ? data.groups : [];
}
