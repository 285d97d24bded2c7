import type { Queryable } from '../../database/queryable.js';
import { findEach } from '../../database/together.js';
import { findAccountByLogin, findAccountShared, type AccountRow } from '../../queries/accounts/accounts.js';
import { recentlyUsed } from '../../values/recently-used.js';

const MAX_ACCOUNTS = 10_000;

/**
 * Caches rows of `accounts`, so that identifying a caller and naming who wrote something costs no query. A row is valid
 * only while no account has changed since it was read. So it is never older than an answered write, and stays while
 * nobody writes accounts.
 */
export class AccountFacts {
  readonly #rows = recentlyUsed<number, { readonly row: AccountRow; readonly edition: number }>(MAX_ACCOUNTS);

  /** Reads in progress. Callers at the same edition share one, if the edition is known. */
  readonly #reads = new Map<
    number,
    { readonly row: Promise<AccountRow | undefined>; readonly edition: number | undefined }
  >();

  constructor(
    private readonly db: Queryable,
    /** Returns the edition of the `accounts` projection that this process has seen; undefined while it cannot know. */
    private readonly edition: () => number | undefined = () => undefined,
  ) {}

  /** Returns the account's current row if it is cached. */
  recall(accountId: number): AccountRow | undefined {
    const known = this.#rows.get(accountId);
    return known && known.edition === this.edition() ? known.row : undefined;
  }

  /** Returns the account's current row, from the cache or by a query; undefined if there is no such account. */
  async find(accountId: number): Promise<AccountRow | undefined> {
    const known = this.recall(accountId);
    if (known) return known;
    const edition = this.edition();
    const underWay = this.#reads.get(accountId);
    if (edition !== undefined && underWay?.edition === edition) return underWay.row;
    return this.#read(accountId, edition);
  }

  /** Finds those of the accounts that exist, by id. All that are not cached cost one query. */
  findEach(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountRow>> {
    return findEach((facts: this, id: number) => facts.find(id), this, [...new Set(accountIds)]);
  }

  /** Finds the user with that name or address. Always queries, because the name may have passed to another user. */
  async findByLogin(login: string): Promise<AccountRow | undefined> {
    const edition = this.edition();
    const row = await findAccountByLogin(this.db, login);
    if (row) this.#remember(row, edition);
    return row;
  }

  async #read(accountId: number, edition: number | undefined): Promise<AccountRow | undefined> {
    const reading = { row: findAccountShared(this.db, accountId), edition };
    this.#reads.set(accountId, reading);
    try {
      const row = await reading.row;
      if (row) this.#remember(row, edition);
      return row;
    } finally {
      if (this.#reads.get(accountId) === reading) this.#reads.delete(accountId);
    }
  }

  /** Caches a row that is of this edition or a later one. If it is later, it will only be read once more than needed. */
  #remember(row: AccountRow, edition: number | undefined): void {
    if (edition !== undefined) this.#rows.set(row.id, { row, edition });
  }
}
