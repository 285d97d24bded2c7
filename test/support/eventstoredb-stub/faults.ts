/**
 * What befalls one append: `lose-answer` writes and never answers, `late` writes and answers that it took too long,
 * `swallow` neither writes nor answers, `unavailable` ends the call with code 14, `unknown` writes and ends the call as
 * after an exception, `unauthenticated` ends it as for a caller whom the server does not know, `not-ready` answers as a
 * node without a leader does, `conflict` refuses with WrongExpectedVersion and writes nothing, `event-too-large` refuses as
 * a server of 24.10 with a limit for single events.
 */
export type AppendFault =
  | 'lose-answer'
  | 'late'
  | 'swallow'
  | 'unavailable'
  | 'unknown'
  | 'unauthenticated'
  | 'not-ready'
  | 'conflict'
  | 'event-too-large';

/** What the stub has been told to do wrong. */
export class Faults {
  /** While set, appends, and reads that ask for the leader, are refused and sent there. */
  leader: { readonly host: string; readonly port: number } | undefined;
  /** So many of the next reads are never answered. */
  unansweredReads = 0;
  readonly #appends: AppendFault[] = [];

  /** Queues faults: each befalls one of the next appends, in this order. */
  nextAppends(...faults: readonly AppendFault[]): void {
    this.#appends.push(...faults);
  }

  takeAppendFault(): AppendFault | undefined {
    return this.#appends.shift();
  }
}

/** What was asked of the stub, and how much it sent. */
export class Traffic {
  /** The calls of each kind. */
  readonly calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 };
  /** Events that went to reads. */
  sent = 0;
  /** Events that went to subscriptions. */
  delivered = 0;
  /** The position after which the latest subscription began; undefined for the start. */
  subscribedAfter: bigint | undefined;
}
