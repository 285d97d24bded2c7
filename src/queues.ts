/** Whoever's turn comes later than this after an outage was found looks anew. */
const HEEDED_MS = 2_000;

/** Lets one piece of work at a time run for a key, in the order of asking. */
export class Queues {
  readonly #tails = new Map<string, Promise<unknown>>();
  #outage: { readonly foundAt: number; readonly error: unknown } | undefined;

  /**
   * `isOutage` tells an error of what all work stands on. What waited while another met it fails with it: one after the
   * other they would each find out anew, while more come.
   */
  constructor(private readonly isOutage: (error: unknown) => boolean = () => false) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const inTurn = this.#unlessOutage(work);
    const result = before ? before.then(inTurn, inTurn) : inTurn();
    this.#tails.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    }
  }

  #unlessOutage<T>(work: () => Promise<T>): () => Promise<T> {
    const since = performance.now();
    return async () => {
      const { foundAt, error } = this.#outage ?? { foundAt: -Infinity, error: undefined };
      if (foundAt > since && performance.now() - foundAt < HEEDED_MS) throw error;
      try {
        return await work();
      } catch (error) {
        if (this.isOutage(error)) this.#outage = { foundAt: performance.now(), error };
        throw error;
      }
    };
  }
}
