import type { Queryable } from '../database/database.js';
import { fragment, sql } from '../database/sql.js';

/** Whether what a secret belongs to exists. */
export interface Owners {
  readonly hook: (id: number) => Promise<boolean>;
  readonly mirror: (repositoryId: number) => Promise<boolean>;
  /** The account; the edits of it that were announced are settled then. */
  readonly edit: (accountId: number) => Promise<boolean>;
}

const TABLES = {
  hook: { table: fragment`vault.hook_secrets`, id: fragment`hook_id` },
  mirror: { table: fragment`vault.mirrors`, id: fragment`repository_id` },
  edit: { table: fragment`vault.account_edits`, id: fragment`account_id` },
} as const;

/** Nobody takes as long from keeping a secret to the event that makes its owner, or makes it count. */
export const OVERDUE = fragment`unproven_since < now() - interval '1 hour'`;
const BATCH = 1_000;

/**
 * A secret is kept before its owner comes to be, so that none is without: what is cut off between the two leaves one that
 * nobody asks for; and so is the password of an edit. Each is looked at once, an hour after it was kept.
 */
export class UnprovenSecrets {
  constructor(private readonly database: Queryable) {}

  /** Forgets those whose owner never came to be, as far as it comes before it is aborted. */
  async settle(exists: Owners, signal: AbortSignal): Promise<void> {
    for (const kind of ['hook', 'mirror', 'edit'] as const) await this.#settle(kind, exists[kind], signal);
  }

  async #settle(kind: keyof Owners, exists: Owners[typeof kind], signal: AbortSignal): Promise<void> {
    const { table, id } = TABLES[kind];
    const isStopped = () => signal.aborted;
    while (!isStopped()) {
      const rows = await this.database.rows<{ owner: number }>(sql`
        select distinct ${id} as owner from ${table} where ${OVERDUE} limit ${BATCH}`);
      for (const { owner } of rows) {
        if (isStopped()) return;
        // Again under the same condition: it may have been kept anew meanwhile.
        await this.database.rows(
          (await exists(owner))
            ? sql`update ${table} set unproven_since = null where ${id} = ${owner} and ${OVERDUE}`
            : sql`delete from ${table} where ${id} = ${owner} and ${OVERDUE}`,
        );
      }
      if (rows.length < BATCH) return;
    }
  }
}
