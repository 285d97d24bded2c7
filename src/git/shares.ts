import { GitBusy } from './port/errors.js';
import { Slots } from '../concurrency/slots.js';

/** How many may wait in one share, and for one of the places in all; more are refused. */
export const WAITING_AT_MOST = 1_000;

/**
 * Limits how much runs at a time, for each client (or repository) and in all. One with slow requests fills its own share
 * only, and leaves room to the others; those that wait for a place in all take turns.
 */
export class Shares {
  readonly #slots = new Map<string | number, { readonly slots: Slots; users: number }>();

  constructor(
    private readonly most: number,
    private readonly inAll = new Slots(Infinity),
  ) {}

  /**
   * Waits for a place in the client's share, then for one in all. Resolves with the function that frees both; calling it
   * again does nothing. Rejects with `GitBusy` if too many wait already.
   */
  async take(client: string | number, signal?: AbortSignal): Promise<() => void> {
    const share = this.#slots.get(client) ?? { slots: new Slots(this.most), users: 0 };
    for (const { waiting } of [share.slots, this.inAll])
      if (waiting >= WAITING_AT_MOST) throw new GitBusy(`${waiting} wait for git already`);
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
      taken.push(await this.inAll.take(signal, String(client)));
      return giveBack;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
