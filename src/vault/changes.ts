/** Called with the account whose secrets or flags have changed, or with `all` if those of any account may have. */
export type ChangeListener = (accountId: number | 'all') => void;

/** The channel of notifications; their payload is the account's id. */
export const CHANNEL = 'vault';

/**
 * Notifies listeners that an account's secrets have changed: those of this process at once, those of others by the NOTIFY
 * in each changing statement.
 */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();

  /** Adds a listener; returns the function that removes it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies the listeners of this process. */
  tell(accountId: number | 'all'): void {
    for (const listener of this.#listeners) listener(accountId);
  }
}
