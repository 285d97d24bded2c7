import { withEntry } from '../collections.js';
import type { Decider, Message } from '../decider.js';
import { usageSubjects, type Usage, type UsageSubject } from './subjects.js';

/** Bytes as decimal digits, because JSON numbers are not exact beyond 2^53. */
type Bytes = string;

export type StorageLedgerCommand = Message<
  'RecordUsage',
  { objectId: string; subject: UsageSubject; bytes: Bytes; at: string }
>;

// Stored for good: fields may be added, never renamed or removed.
export type StorageLedgerEvent = Message<
  'UsageRecorded',
  { objectId: string; subject: UsageSubject; bytes: Bytes; total: Bytes; recordedAt: string }
>;

interface Entry {
  readonly subject: UsageSubject;
  readonly bytes: bigint;
}
export interface StorageLedgerState {
  readonly entries: ReadonlyMap<string, Entry>;
}

/** What one account stores: the bytes of each object it owns, under the subject that counts them. */
export const StorageLedger: Decider<StorageLedgerCommand, StorageLedgerEvent, StorageLedgerState> = {
  category: 'storageLedger',
  initialState: { entries: new Map() },

  evolve({ entries }, { data }) {
    const entry = { subject: data.subject, bytes: BigInt(data.bytes) };
    return { entries: withEntry(entries, keyOf(data), entry) };
  },

  decide({ data }, state) {
    const { objectId, subject, bytes, at: recordedAt } = data;
    const before = state.entries.get(keyOf(data))?.bytes ?? 0n;
    if (before === BigInt(bytes)) return [];
    const total = (usageOf(state)[subject] - before + BigInt(bytes)).toString();
    return [{ type: 'UsageRecorded', data: { objectId, subject, bytes, total, recordedAt } }];
  },
};

const keyOf = ({ objectId, subject }: { objectId: string; subject: UsageSubject }) =>
  `${subject} ${objectId}`;

/** The bytes under each subject, all of them named. */
export function usageOf({ entries }: StorageLedgerState): Required<Usage> {
  const usage = Object.fromEntries(usageSubjects.map((subject) => [subject, 0n])) as Record<
    UsageSubject,
    bigint
  >;
  for (const { subject, bytes } of entries.values()) usage[subject] += bytes;
  return usage;
}
