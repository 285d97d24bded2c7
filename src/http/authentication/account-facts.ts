import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.js';
import { findAccountById, type AccountRow } from '../../queries/accounts/accounts.js';

const MAX_ACCOUNTS = 10_000;

/**
 * The `accounts` rows of callers, so that a read costs no query for its caller. A row counts only while the read model
 * stands at the checkpoint at which it was read: any event at all makes it be read again, on next use. So it is never
 * older than what a write has been answered for, and costs nothing while nobody writes.
 */
export class AccountFacts {
  readonly #rows = new LRUCache<number, { readonly row: AccountRow; readonly checkpoint: bigint }>({
    max: MAX_ACCOUNTS,
  });

  /** Under way: callers at the same checkpoint share one. */
  readonly #reads = new Map<
    number,
    { readonly row: Promise<AccountRow | undefined>; readonly checkpoint: bigint | undefined }
  >();

  constructor(
    private readonly db: Queryable,
    /** The checkpoint of the `accounts` projection as far as this process knows; undefined while it cannot. */
    private readonly checkpoint: () => bigint | undefined,
  ) {}

  /** The account's row as it is now, where that is known without asking. */
  recall(accountId: number): AccountRow | undefined {
    const known = this.#rows.get(accountId);
    return known && known.checkpoint === this.checkpoint() ? known.row : undefined;
  }

  async find(accountId: number): Promise<AccountRow | undefined> {
    const known = this.recall(accountId);
    if (known) return known;
    const checkpoint = this.checkpoint();
    const underWay = this.#reads.get(accountId);
    if (underWay && underWay.checkpoint === checkpoint) return underWay.row;
    return this.#read(accountId, checkpoint);
  }

  async #read(accountId: number, checkpoint: bigint | undefined): Promise<AccountRow | undefined> {
    const reading = { row: findAccountById(this.db, accountId), checkpoint };
    this.#reads.set(accountId, reading);
    try {
      const row = await reading.row;
      // Read at this checkpoint or after it: a later one that is not known yet makes it be read once more.
      if (row && checkpoint !== undefined) this.#rows.set(accountId, { row, checkpoint });
      return row;
    } finally {
      if (this.#reads.get(accountId) === reading) this.#reads.delete(accountId);
    }
  }
}
