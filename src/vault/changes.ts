/** Called with the account whose secrets or flags changed; with `all` when any may have. */
export type ChangeListener = (accountId: number | 'all') => void;

/** Of NOTIFY; the payload is the account's id. */
export const CHANNEL = 'vault';

/**
 * Tells who must know that an account's secrets changed: this process at once, the others by the NOTIFY that each
 * change makes in its own statement.
 */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();

  /** Returns the function that ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(accountId: number | 'all'): void {
    for (const listener of this.#listeners) listener(accountId);
  }
}
