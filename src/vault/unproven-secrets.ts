import type { Queryable } from '../database/queryable.js';
import { fragment, sql, type Fragment } from '../database/sql.js';

/** Look-ups that tell whether the owners of secrets exist. */
export interface Owners {
  /** Returns the ids of the secrets that a hook refers to. */
  readonly hook: (id: number) => Promise<readonly string[]>;
  readonly mirror: (repositoryId: number) => Promise<boolean>;
  /** Tells whether an account exists; if it does, also settles its announced edits. */
  readonly edit: (accountId: number) => Promise<boolean>;
}

const all = (exist: boolean) => fragment`${exist}::boolean`;

interface Kind {
  readonly table: Fragment;
  readonly owner: Fragment;
  /** Returns the condition for an owner's secrets that stay. */
  readonly stays: (owners: Owners, owner: number) => Promise<Fragment>;
}

const KINDS: readonly Kind[] = [
  {
    table: fragment`vault.hook_secrets`,
    owner: fragment`hook_id`,
    stays: async ({ hook }, owner) => fragment`id = any(${await hook(owner)}::text[])`,
  },
  {
    table: fragment`vault.mirrors`,
    owner: fragment`repository_id`,
    stays: async ({ mirror }, owner) => all(await mirror(owner)),
  },
  {
    table: fragment`vault.account_edits`,
    owner: fragment`account_id`,
    stays: async ({ edit }, owner) => all(await edit(owner)),
  },
];

/** The condition for overdue secrets: no request takes an hour from storing a secret to the event that refers to it. */
export const OVERDUE = fragment`unproven_since < now() - interval '1 hour'`;
const BATCH = 1_000;

/**
 * Secrets whose owner may not exist. A secret, or an edit's password, is stored before the event that creates its owner or
 * refers to it, so that no owner lacks its secret. A request that is interrupted in between leaves an unused secret, so
 * each one is checked once, an hour after it was stored.
 */
export class UnprovenSecrets {
  constructor(private readonly database: Queryable) {}

  /**
   * Deletes overdue secrets whose owner was never created or never referred to them. Stops early if aborted. An owner that
   * cannot be looked up keeps them and does not hold up others: the first such error is thrown at the end.
   */
  async settle(owners: Owners, signal: AbortSignal): Promise<void> {
    let failed: PromiseRejectedResult | undefined;
    for (const kind of KINDS)
      for await (const owner of this.#overdue(kind, signal)) {
        const [settled] = await Promise.allSettled([this.#settle(kind, owner, owners)]);
        if (settled.status === 'rejected') failed ??= settled;
      }
    if (failed) throw failed.reason;
  }

  /** Yields the owners of a kind's overdue secrets, each once, until aborted. */
  async *#overdue({ table, owner: ownerId }: Kind, signal: AbortSignal): AsyncGenerator<number> {
    for (let after = -1; ;) {
      const rows = await this.database.rows<{ owner: number }>(sql`
        select distinct ${ownerId} as owner from ${table} where ${OVERDUE} and ${ownerId} > ${after}
        order by ${ownerId} limit ${BATCH}`);
      for (const { owner } of rows) {
        if (signal.aborted) return;
        yield owner;
        after = owner;
      }
      if (rows.length < BATCH) return;
    }
  }

  async #settle({ table, owner: ownerId, stays }: Kind, owner: number, owners: Owners): Promise<void> {
    const staying = await stays(owners, owner);
    // The condition is repeated because the secret may have been stored again meanwhile.
    const overdue = fragment`${ownerId} = ${owner} and ${OVERDUE}`;
    await this.database.rows(sql`delete from ${table} where ${overdue} and not (${staying})`);
    await this.database.rows(sql`
      update ${table} set unproven_since = null where ${overdue} and (${staying})`);
  }
}
