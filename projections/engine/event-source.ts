import type { Position } from '../../src/event-store/event-store.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';

/** Consecutive events. `caughtUp` is true if the log held no more when they were read. */
export interface ProjectedBatch {
  readonly events: readonly DomainEvent[];
  readonly caughtUp: boolean;
}

/** The event log as projections read it: events are upcast, and their personal fields decrypted. */
export interface EventSource {
  /**
   * Yields every event after `after` exactly once, in position order: first those in the log, then new ones as they are
   * appended. Reads as fast as the consumer pulls. Yields one empty batch if there is nothing to catch up with.
   * `latest` is when the event at `after` was recorded; later events never get an earlier `recordedAt`. Ends only when
   * `signal` is aborted. Throws if it cannot continue; the caller may then subscribe again. With `markUnreadable`, events
   * that cannot be read are yielded with `unreadable` set.
   */
  subscribe(
    after: Position,
    options: { readonly signal: AbortSignal; readonly latest: Date; readonly markUnreadable: true },
  ): AsyncIterable<ProjectedBatch>;
}
