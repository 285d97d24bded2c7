import type { Queryable } from '../database/database.js';
import { fragment, sql, type Fragment } from '../database/sql.js';

/** Whether what a secret belongs to exists. */
export interface Owners {
  /** The ids of the secrets that the hook names. */
  readonly hook: (id: number) => Promise<readonly string[]>;
  readonly mirror: (repositoryId: number) => Promise<boolean>;
  /** The account; the edits of it that were announced are settled then. */
  readonly edit: (accountId: number) => Promise<boolean>;
}

const all = (exist: boolean) => fragment`${exist}::boolean`;

interface Kind {
  readonly table: Fragment;
  readonly owner: Fragment;
  /** Which secrets of an owner stay. */
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

/** No request takes so long from keeping a secret to the event that makes its owner, or makes it count. */
export const OVERDUE = fragment`unproven_since < now() - interval '1 hour'`;
const BATCH = 1_000;

/**
 * A secret is kept before its owner comes to be, or names it, so that no owner is without; and so is the password of an edit.
 * What is cut off in between leaves a secret that nobody asks for: each is looked at once, an hour after it was kept.
 */
export class UnprovenSecrets {
  constructor(private readonly database: Queryable) {}

  /** Forgets those whose owner never came to be, or never named them, as far as it comes before it is aborted. */
  async settle(owners: Owners, signal: AbortSignal): Promise<void> {
    for (const kind of KINDS) await this.#settle(kind, owners, signal);
  }

  async #settle({ table, owner: ownerId, stays }: Kind, owners: Owners, signal: AbortSignal): Promise<void> {
    const isStopped = () => signal.aborted;
    while (!isStopped()) {
      const rows = await this.database.rows<{ owner: number }>(sql`
        select distinct ${ownerId} as owner from ${table} where ${OVERDUE} limit ${BATCH}`);
      for (const { owner } of rows) {
        if (isStopped()) return;
        const staying = await stays(owners, owner);
        // Again under the same condition: it may have been kept anew meanwhile.
        const overdue = fragment`${ownerId} = ${owner} and ${OVERDUE}`;
        await this.database.rows(sql`delete from ${table} where ${overdue} and not (${staying})`);
        await this.database.rows(sql`
          update ${table} set unproven_since = null where ${overdue} and (${staying})`);
      }
      if (rows.length < BATCH) return;
    }
  }
}
