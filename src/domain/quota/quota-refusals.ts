import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';
import type { Digits } from './digits.js';
import type { QuotaSubject } from './subjects.js';

/** The reason of a refusal, as in `QuotaReason`, in the minute that began at `minute` (RFC 3339). */
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

/** `RecordRefusal` records the first refusal of a minute; `CountRefusals` records `more` of them after the first. */
export type QuotaRefusalsCommand =
  | Message<'RecordRefusal', Facts & { at: string }>
  | Message<'CountRefusals', Facts & { more: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The refusals of one account. `incoming` is null for an unknown size; `position` is what was decided on. */
export type QuotaRefusalsEvent =
  | Message<'QuotaRefused', Facts & { refusedAt: string }>
  /** Counts `more` refusals in a minute that has its `QuotaRefused`; the other facts are those of the last one. */
  | Message<'QuotaRefusalsCounted', Facts & { more: number; countedAt: string }>;

/** The last minutes with refusals, by subject, in ascending order. */
interface State {
  readonly minutes: Map<QuotaSubject, readonly string[]>;
}

/** How many minutes are remembered per subject. Processes whose clocks differ by less agree on what was recorded. */
const REMEMBERED = 5;

/**
 * The refusals of storage for one account, by subject and minute. The first refusal of a minute has its own event. Each
 * process records the number of all further ones by one event, at the end of the minute or when it is flushed, so that
 * a flood of refusals does not fill the log.
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
