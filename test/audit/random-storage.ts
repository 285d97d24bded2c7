import { v4 } from 'uuid';
import type { QuotaFacts } from '../../src/domain/quota/storage-ledger-messages.js';
import type { StorageLedgerCommand } from '../../src/domain/quota/storage-ledger.js';
import { usageSubjects, type UsageSubject } from '../../src/domain/quota/subjects.js';
import type { Random } from '../support/random.js';

/** What a decision rests on if there is room for everything. */
export const NO_LIMITS: QuotaFacts = {
  account: { id: 0, name: '' },
  groups: [],
  catalogueRevision: -1,
  membershipRevision: -1,
  position: 0n,
  overdue: [],
};

const VISIBILITIES = ['size:repos:public', 'size:repos:private'] as const;

/** What a command may be about: `open` are the ids of reservations. */
export interface StorageFacts {
  readonly open: readonly string[];
  readonly bytes: string;
  readonly expiresAt: string;
  readonly at: string;
  readonly quota?: QuotaFacts;
}

/** A random command that a ledger never refuses. */
export function randomStorageCommand(
  random: Random,
  { open, bytes, expiresAt, at, quota = NO_LIMITS }: StorageFacts,
): StorageLedgerCommand {
  const objectId = random.pick(['1', '2']);
  const subject = random.pick(usageSubjects);
  const reservationId = open.length > 0 && random.chance(0.7) ? random.pick(open) : v4();
  const limits = { groups: [], at };
  switch (random.below(7)) {
    case 0:
    case 1: {
      const data = { reservationId: v4(), objectId, subject, bytes, expiresAt, quota, at };
      return { type: 'ReserveStorage', data };
    }
    case 2:
      return { type: 'SettleReservation', data: { reservationId, objectId, subject, bytes, ...limits } };
    case 3:
      return { type: 'ReleaseReservation', data: { reservationId, at } };
    case 4: {
      const [from, to] = random.shuffled(VISIBILITIES) as [UsageSubject, UsageSubject];
      return { type: 'MoveUsage', data: { objectId, from, to, ...limits } };
    }
    case 5:
      return { type: 'ForgetObject', data: { objectId, ...limits } };
    default:
      return { type: 'RecordUsage', data: { objectId, subject, bytes, ...limits } };
  }
}
