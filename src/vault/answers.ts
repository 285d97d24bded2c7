import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** The answer that a request with an Idempotency-Key was given. */
export interface StoredAnswer {
  /** Of the request's body: the same key with another body is a mistake of the client. */
  readonly bodyHash: string;
  /** Whose request it was. Releases before did not keep it. */
  readonly accountId?: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is kept until there is an answer: the stream that says whether the request has been carried out. */
export interface StoredIntent {
  readonly bodyHash: string;
  readonly stream: string;
  /** Releases that did not keep it had one of the key alone. */
  readonly commandId?: string;
}

const PAGE = 200;

/** Answers kept for a day under a hash of their key, encrypted: they may hold a token's secret. */
export class Answers {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  async find(keyHash: string): Promise<StoredAnswer | StoredIntent | undefined> {
    const [row] = await this.database.rows<{ sealed: Buffer }>(sql`
      select sealed from vault.answers
      where key_hash = ${keyHash} and stored_at > now() - interval '24 hours'`);
    return row && (JSON.parse(open(this.key, row.sealed, keyHash).toString()) as StoredAnswer | StoredIntent);
  }

  /** Keeps it in place of what was kept earlier, and drops some that is too old, more than it adds. */
  async store(keyHash: string, kept: StoredAnswer | StoredIntent): Promise<void> {
    const sealed = seal(this.key, JSON.stringify(kept), keyHash);
    await this.database.rows(sql`
      with expired as (
        delete from vault.answers where key_hash in (
          select key_hash from vault.answers
          where stored_at <= now() - interval '24 hours' and key_hash <> ${keyHash}
          order by stored_at limit 10 for update skip locked))
      insert into vault.answers (key_hash, sealed) values (${keyHash}, ${sealed})
      on conflict (key_hash) do update set sealed = excluded.sealed, stored_at = excluded.stored_at`);
  }

  /** Frees the key for another request; nothing where it has not been used. */
  async remove(keyHash: string): Promise<void> {
    await this.database.rows(sql`delete from vault.answers where key_hash = ${keyHash}`);
  }

  /** Empties the answers that `tells` picks; their requests still count as carried out. Aborted, it leaves some. */
  async forget(tells: (answer: StoredAnswer) => boolean, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted;) {
      const rows = await this.database.rows<{ key_hash: string; sealed: Buffer }>(sql`
        select key_hash, sealed from vault.answers
        where key_hash > ${after} order by key_hash limit ${PAGE}`);
      for (const { key_hash: keyHash, sealed } of rows) {
        const kept = JSON.parse(open(this.key, sealed, keyHash).toString()) as StoredAnswer | StoredIntent;
        if (!('body' in kept) || !tells(kept)) continue;
        const emptied = seal(this.key, JSON.stringify({ ...kept, headers: {}, body: '' }), keyHash);
        await this.database.rows(sql`
          update vault.answers set sealed = ${emptied} where key_hash = ${keyHash}`);
      }
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.key_hash ?? '';
    }
  }

  /** Drops everything older than a day. */
  async purge(): Promise<void> {
    await this.database.rows(sql`
      delete from vault.answers where stored_at <= now() - interval '24 hours'`);
  }
}
