import { LRUCache } from 'lru-cache';
import type { Position } from '../event-store/event-store.js';
import type { ReadYourWrites } from '../read-your-writes/read-your-writes.js';

/** How long a request waits for the read models before it is answered without them. */
export const VISIBLE_WITHIN_MS = 2_000;

/** How long it waits for what its own account was told is done: a projector that was killed is up again by then. */
const OWN_WITHIN_MS = 10_000;

/** It is done, and the read models do not show it in time: there is nothing to answer with yet. */
export class NotShownYet extends Error {
  override readonly name = 'NotShownYet';
}

const MAX_CALLERS = 10_000;

/**
 * Writes that were answered before the read models showed them, by account: the next requests of that account wait for
 * them. Bounded; the accounts longest unused are dropped.
 */
export class RecentWrites {
  readonly #positions = new LRUCache<number, Position>({ max: MAX_CALLERS });

  constructor(private readonly readYourWrites: Pick<ReadYourWrites, 'wait'>) {}

  /** Waits for a write of this account; false where it does not show in time. */
  async settle(accountId: number | undefined, position: Position): Promise<boolean> {
    const shows = await this.readYourWrites.wait(position, VISIBLE_WITHIN_MS);
    if (!shows && accountId !== undefined) this.#note(accountId, position);
    return shows;
  }

  /**
   * Before a request: waits for the earlier writes of the account and for the position that the client has sent; false
   * where they do not show in time. Undefined, at once, where there is nothing to wait for.
   */
  before(accountId: number | undefined, sent: Position | undefined): Promise<boolean> | undefined {
    const own = accountId === undefined ? undefined : this.#positions.get(accountId);
    const position = own !== undefined && (sent === undefined || own > sent) ? own : sent;
    return position === undefined ? undefined : this.#waitFor(position, accountId, own);
  }

  async #waitFor(
    position: Position,
    accountId: number | undefined,
    own: Position | undefined,
  ): Promise<boolean> {
    const within = position === own ? OWN_WITHIN_MS : VISIBLE_WITHIN_MS;
    const shows = await this.readYourWrites.wait(position, within);
    if (shows && accountId !== undefined && own === this.#positions.get(accountId))
      this.#positions.delete(accountId);
    return shows;
  }

  #note(accountId: number, position: Position): void {
    const known = this.#positions.get(accountId);
    if (known === undefined || known < position) this.#positions.set(accountId, position);
  }
}
