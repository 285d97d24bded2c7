import { Map } from 'immutable';
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

export interface StorageLedgerState {
  /** Bytes by subject and object. */
  readonly entries: Map<string, bigint>;
  readonly usage: Required<Usage>;
}

/** What one account stores: the bytes of each object it owns, under the subject that counts them. */
export const StorageLedger: Decider<StorageLedgerCommand, StorageLedgerEvent, StorageLedgerState> = {
  category: 'storageLedger',
  initialState: { entries: Map(), usage: nothingUsed() },

  evolve({ entries, usage }, { data }) {
    return {
      entries: entries.set(keyOf(data), BigInt(data.bytes)),
      usage: { ...usage, [data.subject]: BigInt(data.total) },
    };
  },

  decide({ data }, { entries, usage }) {
    const { objectId, subject, bytes, at: recordedAt } = data;
    const before = entries.get(keyOf(data)) ?? 0n;
    if (before === BigInt(bytes)) return [];
    const total = (usage[subject] - before + BigInt(bytes)).toString();
    return [{ type: 'UsageRecorded', data: { objectId, subject, bytes, total, recordedAt } }];
  },
};

const keyOf = ({ objectId, subject }: { objectId: string; subject: UsageSubject }) =>
  `${subject} ${objectId}`;

function nothingUsed(): Required<Usage> {
  return Object.fromEntries(usageSubjects.map((subject) => [subject, 0n])) as Record<UsageSubject, bigint>;
}
