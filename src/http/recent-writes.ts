import type { Position } from '../event-store/event-store.js';
import { VISIBLE_WITHIN_MS, type ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import { recentlyUsed } from '../values/recently-used.js';

/**
 * How long a request waits for writes of its own account, in ms: long enough for a killed projector to be up again. It
 * counts from the write, so that a projector that stays stopped does not delay every request that long.
 */
const OWN_WITHIN_MS = 10_000;

/** The header by which answers tell where in the log their write is, and requests what their reads have to show. */
export const POSITION_HEADER = 'X-Tallyforge-Position';

/** Thrown if a command was carried out, but the read models do not show it in time to answer from them. */
export class NotShownYet extends Error {
  override readonly name = 'NotShownYet';
  constructor(
    readonly position: Position,
    cause: unknown,
    /** Whether `RecentWrites.shown` has already waited for the position. */
    readonly wasWaitedFor = false,
  ) {
    super('it is done, and cannot be shown yet', { cause });
  }
}

interface Unshown {
  readonly position: Position;
  /** When the first unshown write was answered, in ms. */
  readonly since: number;
}

const MAX_CALLERS = 10_000;

/**
 * The writes that were answered before the read models showed them, by account: the account's next requests wait for
 * them. Bounded; the least recently used accounts are dropped.
 */
export class RecentWrites {
  readonly #unshown = recentlyUsed<number, Unshown>(MAX_CALLERS);

  constructor(
    private readonly readYourWrites: Pick<ReadYourWrites, 'wait'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Waits until a write of this account shows; false if it does not in time. */
  async settle(accountId: number | undefined, position: Position): Promise<boolean> {
    const shows = await this.readYourWrites.wait(position);
    if (!shows && accountId !== undefined) this.#note(accountId, position);
    return shows;
  }

  /** Waits longer, for a write that the answer itself needs; false if it does not show in time. */
  shown(position: Position): Promise<boolean> {
    return this.readYourWrites.wait(position, OWN_WITHIN_MS);
  }

  /** Waits for the position that a client sent; false if it does not show in time. */
  sent(position: Position): Promise<boolean> {
    return this.readYourWrites.wait(position);
  }

  /**
   * Waits, before a request, for the account's earlier writes; false if they do not show in time. Returns undefined if
   * there is nothing to wait for.
   */
  before(accountId: number | undefined): Promise<boolean> | undefined {
    if (accountId === undefined) return undefined;
    const own = this.#unshown.get(accountId);
    return own && this.#waitFor(own, accountId);
  }

  async #waitFor(own: Unshown, accountId: number): Promise<boolean> {
    const patience = own.since + OWN_WITHIN_MS - this.now();
    const shows = await this.readYourWrites.wait(own.position, Math.max(patience, VISIBLE_WITHIN_MS));
    if (shows && own === this.#unshown.get(accountId)) this.#unshown.delete(accountId);
    return shows;
  }

  #note(accountId: number, position: Position): void {
    const known = this.#unshown.get(accountId);
    if (known === undefined || known.position < position)
      this.#unshown.set(accountId, { position, since: known?.since ?? this.now() });
  }
}
