import { LRUCache } from 'lru-cache';
import type { Position } from '../event-store/event-store.js';
import { VISIBLE_WITHIN_MS, type ReadYourWrites } from '../read-your-writes/read-your-writes.js';

/**
 * How long requests wait for what their own account was told is done: a projector that was killed is up again by then.
 * One that stands still for longer does not hold up each of them that long.
 */
const OWN_WITHIN_MS = 10_000;

/** It is done, and the read models do not show it in time: there is nothing to answer with yet. */
export class NotShownYet extends Error {
  override readonly name = 'NotShownYet';
  constructor(
    readonly position: Position,
    cause: unknown,
    /** Whether `RecentWrites.shown` has waited for it in vain. */
    readonly wasWaitedFor = false,
  ) {
    super('it is done, and cannot be shown yet', { cause });
  }
}

interface Unshown {
  readonly position: Position;
  /** When the first of them was answered, in ms. */
  readonly since: number;
}

const MAX_CALLERS = 10_000;

/**
 * Writes that were answered before the read models showed them, by account: the next requests of that account wait for
 * them. Bounded; the accounts longest unused are dropped.
 */
export class RecentWrites {
  readonly #unshown = new LRUCache<number, Unshown>({ max: MAX_CALLERS });

  constructor(
    private readonly readYourWrites: Pick<ReadYourWrites, 'wait'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Waits for a write of this account; false where it does not show in time. */
  async settle(accountId: number | undefined, position: Position): Promise<boolean> {
    const shows = await this.readYourWrites.wait(position);
    if (!shows && accountId !== undefined) this.#note(accountId, position);
    return shows;
  }

  /** Waits for a write without which there is nothing to answer; false where it does not show in time. */
  shown(position: Position): Promise<boolean> {
    return this.readYourWrites.wait(position, OWN_WITHIN_MS);
  }

  /**
   * Before a request: waits for the earlier writes of the account and for the position that the client has sent; false
   * where they do not show in time. Undefined, at once, where there is nothing to wait for.
   */
  before(accountId: number | undefined, sent: Position | undefined): Promise<boolean> | undefined {
    const own = accountId === undefined ? undefined : this.#unshown.get(accountId);
    const position = own && (sent === undefined || own.position > sent) ? own.position : sent;
    return position === undefined ? undefined : this.#waitFor(position, accountId, own);
  }

  async #waitFor(
    position: Position,
    accountId: number | undefined,
    own: Unshown | undefined,
  ): Promise<boolean> {
    const patience = own?.position === position ? own.since + OWN_WITHIN_MS - this.now() : 0;
    const shows = await this.readYourWrites.wait(position, Math.max(patience, VISIBLE_WITHIN_MS));
    if (shows && accountId !== undefined && own === this.#unshown.get(accountId))
      this.#unshown.delete(accountId);
    return shows;
  }

  #note(accountId: number, position: Position): void {
    const known = this.#unshown.get(accountId);
    if (known === undefined || known.position < position)
      this.#unshown.set(accountId, { position, since: known?.since ?? this.now() });
  }
}
