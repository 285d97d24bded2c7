import type { Faults, Traffic } from './faults.js';
import type { StubLog } from './log.js';
import type { ReadCall } from './read-calls.js';

/** What the calls of one stub share. */
export interface StubNode {
  readonly log: StubLog;
  readonly faults: Faults;
  readonly traffic: Traffic;
  /** The calls of the subscriptions under way. */
  readonly subscriptions: Set<ReadCall>;
  /** The most bytes that one append may hold: of data and metadata, and two for each character of the types. */
  readonly maxAppendSize: number;
  /**
   * Whether a live reader that too much waits for catches up again, as from server 24.2 on, or is dropped. There,
   * whoever has caught up is told a checkpoint.
   */
  readonly catchesUpAgain: boolean;
}
