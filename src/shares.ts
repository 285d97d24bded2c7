import { GitBusy } from './git/port/errors.js';
import { Slots } from './slots.js';

/** For each of them. */
const WAITING_AT_MOST = 1_000;

/**
 * Lets each client have at most so many at a time, and all of them together so many in all: one that takes its time leaves
 * places to the others.
 */
export class Shares {
  readonly #inAll: Slots;
  readonly #slots = new Map<string | number, { readonly slots: Slots; users: number }>();

  constructor(
    private readonly most: number,
    inAll = Infinity,
  ) {
    this.#inAll = new Slots(inAll);
  }

  /**
   * Waits for its turn among those of the client, then among all. Resolves with what gives the place back (once, however
   * often it is called). Rejects with `GitBusy` where the client has too many waiting.
   */
  async take(client: string | number, signal: AbortSignal): Promise<() => void> {
    const share = this.#slots.get(client) ?? { slots: new Slots(this.most), users: 0 };
    if (share.slots.waiting >= WAITING_AT_MOST)
      throw new GitBusy(`${share.slots.waiting} of one client wait already`);
    this.#slots.set(client, share);
    share.users += 1;
    const leave = () => {
      share.users -= 1;
      if (share.users === 0) this.#slots.delete(client);
    };
    const taken = [leave];
    const giveBack = () => {
      for (const each of taken.splice(0).reverse()) each();
    };
    try {
      taken.push(await share.slots.take(signal));
      taken.push(await this.#inAll.take(signal));
      return giveBack;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
