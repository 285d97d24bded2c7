import { EventStoreUnavailable, PositionNotInLog, START, type Position } from './event-store.js';

/** An event that was returned. The id tells it from another one that took its position after a loss. */
export interface ShownEvent {
  readonly position: Position;
  /** Absent where only the position is known, or where positions are never given anew. */
  readonly id?: string;
}

/** What a store has returned of its log to callers, so that it can tell whether the log has lost some of it. */
export class ShownEvents {
  #furthest: ShownEvent = { position: START };
  #lost: EventStoreUnavailable | undefined;

  /** `onLogLost` is called once, when the loss is noted. */
  constructor(private readonly onLogLost: (error: PositionNotInLog) => void = () => undefined) {}

  /** The one with the highest position; at `START` if none was returned. */
  get furthest(): ShownEvent {
    return this.#furthest;
  }

  /** Notes that an event was returned. */
  add(event: ShownEvent): void {
    if (event.position > this.#furthest.position) this.#furthest = event;
  }

  /** Notes that the log has lost the event at a position, and throws. */
  lose(position: Position): never {
    this.refuseLost();
    const cause = new PositionNotInLog(position);
    this.#lost = new EventStoreUnavailable('the log has lost events: begin anew', { cause });
    this.onLogLost(cause);
    throw this.#lost;
  }

  /** Throws if the log has lost any of them. */
  refuseLost(): void {
    if (this.#lost) throw this.#lost;
  }
}
