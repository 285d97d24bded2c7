import type { Position } from '../../src/event-store/event-store.js';
import type { ProjectedEvent } from '../projection.js';

/** Consecutive events; `caughtUp` is true when the log held no more at the time of reading. */
export interface ProjectedBatch {
  readonly events: readonly ProjectedEvent[];
  readonly caughtUp: boolean;
}

/** The log as projections see it: upcast, and personal fields readable. */
export interface EventSource {
  /**
   * Every event after `after` exactly once, in position order, history first, then live; pulled by the consumer. An
   * empty batch is given once when there is nothing to catch up with.
   * `latest` is when the event at `after` was recorded: no later event counts as recorded before it. Ends only when
   * `signal` is aborted; throws where it cannot go on now, and may be asked again. With `markUnreadable` an event that
   * cannot be read is given with `unreadable`.
   */
  subscribe(
    after: Position,
    options: { readonly signal: AbortSignal; readonly latest: Date; readonly markUnreadable: true },
  ): AsyncIterable<ProjectedBatch>;
}
