import { EventStoreUnavailable, PositionNotInLog, START, type Position } from './event-store.js';

/** What a store has returned of its log to callers, so that it can tell whether the log has lost some of it. */
export class ShownEvents {
  #furthest: Position = START;
  #lost: EventStoreUnavailable | undefined;

  /** `onLogLost` is called once, when the loss is noted. */
  constructor(private readonly onLogLost: (error: PositionNotInLog) => void = () => undefined) {}

  /** The highest position that was returned. */
  get furthest(): Position {
    return this.#furthest;
  }

  add(position: Position): void {
    if (position > this.#furthest) this.#furthest = position;
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
