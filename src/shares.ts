import { GitBusy } from './git/port/errors.js';
import { Slots } from './slots.js';

/** For each of them. */
const WAITING_AT_MOST = 1_000;

/** Lets each client have at most so many at a time: one that takes its time leaves places to the others. */
export class Shares {
  readonly #slots = new Map<string | number, { readonly slots: Slots; users: number }>();

  constructor(private readonly most: number) {}

  /** Resolves with what gives the place back (once, however often it is called). Rejects with `GitBusy` where the client has too many waiting. */
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
    try {
      const giveBack = await share.slots.take(signal);
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        giveBack();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
