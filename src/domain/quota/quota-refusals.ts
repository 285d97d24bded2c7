import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';
import type { QuotaSubject } from './subjects.js';

/** Bytes, or a position, as decimal digits, because JSON numbers are not exact beyond 2^53. */
type Digits = string;

/** Why somebody was refused, as a `QuotaReason`, in the minute that began at `minute` (RFC 3339). */
type Facts = {
  readonly minute: string;
  readonly group: string;
  readonly rule: string;
  readonly subject: QuotaSubject;
  readonly limit: Digits;
  readonly used: Digits;
  readonly incoming: Digits | null;
  readonly position: Digits;
};

/** A refusal, recorded where it is the first of its minute, or `more` of them, recorded where the first one was. */
export type QuotaRefusalsCommand =
  | Message<'RecordRefusal', Facts & { at: string }>
  | Message<'CountRefusals', Facts & { more: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** What one account was refused. `incoming` is null for an unknown size; `position` is what was decided on. */
export type QuotaRefusalsEvent =
  | Message<'QuotaRefused', Facts & { refusedAt: string }>
  /** So many more in a minute that has its `QuotaRefused`; the facts are those of the last one. */
  | Message<'QuotaRefusalsCounted', Facts & { more: number; countedAt: string }>;

/** The last minutes in which something was refused, by subject, in order. */
interface State {
  readonly minutes: Map<QuotaSubject, readonly string[]>;
}

/** Processes whose clocks differ by less than so many minutes agree on what was recorded. */
const REMEMBERED = 5;

/**
 * The storage that one account was refused, by subject and minute: an event for the first refusal of a minute, and one
 * from each process for all that follow, or have followed when it was asked, so that a flood of refusals does not fill
 * the log.
 */
export const QuotaRefusals: Decider<QuotaRefusalsCommand, QuotaRefusalsEvent, State> = {
  category: 'quotaRefusals',
  initialState: { minutes: Map() },
  snapshot: snapshotForm(1),

  evolve(state, { type, data }) {
    switch (type) {
      case 'QuotaRefused': {
        const known = [...minutesOf(state, data.subject), data.minute].sort();
        return { minutes: state.minutes.set(data.subject, known.slice(-REMEMBERED)) };
      }
      case 'QuotaRefusalsCounted':
        return state;
    }
  },

  decide({ type, data }, state) {
    const known = minutesOf(state, data.subject);
    switch (type) {
      case 'RecordRefusal': {
        const { at, ...facts } = data;
        const isTooLate = known.length === REMEMBERED && data.minute < (known[0] ?? '');
        if (isTooLate || known.includes(data.minute)) return [];
        return [{ type: 'QuotaRefused', data: { ...facts, refusedAt: at } }];
      }
      case 'CountRefusals': {
        const { at, ...facts } = data;
        if (!known.includes(data.minute)) return [];
        return [{ type: 'QuotaRefusalsCounted', data: { ...facts, countedAt: at } }];
      }
    }
  },
};

const minutesOf = ({ minutes }: State, subject: QuotaSubject): readonly string[] =>
  minutes.get(subject) ?? [];
