import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** The stored answer to a request with an Idempotency-Key. */
export interface StoredAnswer {
  /** The hash of the request's body, because reusing a key with another body is an error of the client. */
  readonly bodyHash: string;
  /** The account that made the request. Absent in answers stored by earlier releases. */
  readonly accountId?: number;
  /** The account that the path named, as the owner of a repository for example: addresses in the answer have its name. */
  readonly namedId?: number | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Stored until there is an answer: the stream that shows whether the request has been carried out. */
export interface StoredIntent {
  readonly bodyHash: string;
  readonly stream: string;
  /** Absent if an earlier release stored this, which derived the command's id from the key alone. */
  readonly commandId?: string;
}

/** How many answers are read at once, of which each may be half a megabyte. */
const PAGE = 20;

/** Stores answers for a day under a hash of their key, encrypted because they may contain a token's secret. */
export class Answers {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /** Returns what was stored under the hash within the last 24 hours; undefined if nothing was. */
  async find(keyHash: string): Promise<StoredAnswer | StoredIntent | undefined> {
    const [row] = await this.database.rows<{ sealed: Buffer }>(sql`
      select sealed from vault.answers
      where key_hash = ${keyHash} and stored_at > now() - interval '24 hours'`);
    return row && (JSON.parse(open(this.key, row.sealed, keyHash).toString()) as StoredAnswer | StoredIntent);
  }

  /**
   * Stores an answer or intent in place of an earlier one, and deletes some expired ones, more than it adds. By the `holder`
   * of the key's lock, it replaces nothing that others stored who had the lock afterwards.
   */
  async store(keyHash: string, kept: StoredAnswer | StoredIntent, holder = this.database): Promise<void> {
    const sealed = seal(this.key, JSON.stringify(kept), keyHash);
    await holder.rows(sql`
      with expired as (
        delete from vault.answers where key_hash in (
          select key_hash from vault.answers
          where stored_at <= now() - interval '24 hours' and key_hash <> ${keyHash}
          order by stored_at limit 10 for update skip locked))
      insert into vault.answers (key_hash, sealed) values (${keyHash}, ${sealed})
      on conflict (key_hash) do update set sealed = excluded.sealed, stored_at = excluded.stored_at`);
  }

  /** Frees the key for another request; does nothing if it has not been used. `holder` is as for `store`. */
  async remove(keyHash: string, holder = this.database): Promise<void> {
    await holder.rows(sql`delete from vault.answers where key_hash = ${keyHash}`);
  }

  /** Empties the answers for which `tells` is true; their requests still count as carried out. Stops early if aborted. */
  async forget(tells: (answer: StoredAnswer) => boolean, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted;) {
      const rows = await this.database.rows<{ key_hash: string; sealed: Buffer }>(sql`
        select key_hash, sealed from vault.answers
        where key_hash > ${after} order by key_hash limit ${PAGE}`);
      for (const { key_hash: keyHash, sealed } of rows) {
        const kept = JSON.parse(open(this.key, sealed, keyHash).toString()) as StoredAnswer | StoredIntent;
        if (!('body' in kept) || !tells(kept)) continue;
        const emptied = seal(this.key, JSON.stringify({ ...kept, headers: {}, body: '' }), keyHash);
        // Its key may be in use again by now: an answer is kept for a day.
        await this.database.rows(sql`
          update vault.answers set sealed = ${emptied} where key_hash = ${keyHash} and sealed = ${sealed}`);
      }
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.key_hash ?? '';
    }
  }

  /** Deletes everything older than a day. */
  async purge(): Promise<void> {
    await this.database.rows(sql`
      delete from vault.answers where stored_at <= now() - interval '24 hours'`);
  }
}
