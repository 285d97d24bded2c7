import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.js';
import { findAccountById, findAccountByLogin, type AccountRow } from '../../queries/accounts/accounts.js';

const MAX_ACCOUNTS = 10_000;

/**
 * The `accounts` rows of callers, so that a request costs no query for its caller. A row counts only while no account
 * has changed since it was read: so it is never older than what a write has been answered for, and costs nothing while
 * nobody writes accounts.
 */
export class AccountFacts {
  readonly #rows = new LRUCache<number, { readonly row: AccountRow; readonly edition: number }>({
    max: MAX_ACCOUNTS,
  });

  /** Under way: callers at the same edition share one, where that is known. */
  readonly #reads = new Map<
    number,
    { readonly row: Promise<AccountRow | undefined>; readonly edition: number | undefined }
  >();

  constructor(
    private readonly db: Queryable,
    /** The edition of the `accounts` projection as far as this process knows; undefined while it cannot. */
    private readonly edition: () => number | undefined,
  ) {}

  /** The account's row as it is now, where that is known without asking. */
  recall(accountId: number): AccountRow | undefined {
    const known = this.#rows.get(accountId);
    return known && known.edition === this.edition() ? known.row : undefined;
  }

  async find(accountId: number): Promise<AccountRow | undefined> {
    const known = this.recall(accountId);
    if (known) return known;
    const edition = this.edition();
    const underWay = this.#reads.get(accountId);
    if (edition !== undefined && underWay?.edition === edition) return underWay.row;
    return this.#read(accountId, edition);
  }

  /** The user of that name or address. It is asked for each time, for it may be another's by now. */
  async findByLogin(login: string): Promise<AccountRow | undefined> {
    const edition = this.edition();
    const row = await findAccountByLogin(this.db, login);
    if (row) this.#remember(row, edition);
    return row;
  }

  async #read(accountId: number, edition: number | undefined): Promise<AccountRow | undefined> {
    const reading = { row: findAccountById(this.db, accountId), edition };
    this.#reads.set(accountId, reading);
    try {
      const row = await reading.row;
      if (row) this.#remember(row, edition);
      return row;
    } finally {
      if (this.#reads.get(accountId) === reading) this.#reads.delete(accountId);
    }
  }

  /** `row` is of this edition or a later one: one that was not known yet makes it be read once more. */
  #remember(row: AccountRow, edition: number | undefined): void {
    if (edition !== undefined) this.#rows.set(row.id, { row, edition });
  }
}
