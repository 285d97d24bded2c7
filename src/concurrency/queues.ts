/** For how long after an outage was noticed queued work fails at once, in ms. Later work tries for itself. */
const HEEDED_MS = 2_000;

/** Runs one piece of work at a time for each key, in the order of the calls. */
export class Queues {
  readonly #tails = new Map<string, Promise<unknown>>();
  #outage: { readonly foundAt: number; readonly error: unknown } | undefined;

  /**
   * `isOutage` recognises an error that all work would meet, such as an unavailable log. Work that was waiting when it
   * occurred fails with the same error, so that a queue does not wait for one time limit after the other.
   */
  constructor(private readonly isOutage: (error: unknown) => boolean = () => false) {}

  /** Runs the work when all earlier work with this key has ended, well or not. Resolves or rejects as the work does. */
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
