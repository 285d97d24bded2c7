import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { verifyPassword } from './passwords.js';

/** How long a session lasts, whether it is used or not. */
export const SESSION_HOURS = 12;

/** The maximum number of sessions of an account; a further one ends the oldest. */
const MAX_SESSIONS = 10;

const secretForm = /^[\w-]{43}$/;

/**
 * Sessions of browsers, stored as hashes. A secret has 256 random bits, so a fast hash is safe. A session is valid only
 * while its account has the same password as at its start and may sign in. The same query checks both, so every process
 * applies a change from the next request on.
 */
export class BrowserSessions {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /**
   * Begins a session and returns its secret; undefined unless this is the account's current password. Also deletes expired
   * sessions.
   */
  async begin(accountId: number, password: string): Promise<string | undefined> {
    const [row] = await this.database.rows<{ password_hash: string }>(sql`
      select password_hash from vault.credentials where account_id = ${accountId}`);
    if (!row || !(await verifyPassword(row.password_hash, password))) return undefined;
    const secret = randomBytes(32).toString('base64url');
    // The account is locked first, as by whatever ends its sessions; those that are surplus go after the insertion.
    await this.database.rows(sql`
      with surplus as (
        delete from vault.sessions where expires_at <= now() or hash in (
          select hash from vault.sessions where account_id = ${accountId}
          order by expires_at desc offset ${MAX_SESSIONS - 1}))
      insert into vault.sessions (hash, account_id, password_digest, expires_at)
      select ${this.#hash(secret)}, account_id, sha256(convert_to(${row.password_hash}, 'UTF8')),
        now() + make_interval(hours => ${SESSION_HOURS})
      from vault.credentials where account_id = ${accountId} for key share`);
    return secret;
  }

  /** Returns the account whose session it is; undefined if the session has ended or never existed. */
  async find(secret: string): Promise<number | undefined> {
    if (!secretForm.test(secret)) return undefined;
    const [row] = await this.database.rows<{ account_id: number }>(sql`
      select account_id from vault.sessions s join vault.credentials c using (account_id)
      where s.hash = ${this.#hash(secret)} and s.expires_at > now()
        and s.password_digest = sha256(convert_to(c.password_hash, 'UTF8'))
        and c.active and not c.prohibited and not c.must_change_password`);
    return row?.account_id;
  }

  /** Ends a session at once; does nothing if there is none. */
  async end(secret: string): Promise<void> {
    await this.database.rows(sql`delete from vault.sessions where hash = ${this.#hash(secret)}`);
  }

  /** Ends every session of an account at once. */
  async endAll(accountId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.sessions where account_id = ${accountId}`);
  }

  /** Returns the proof that only pages of the session can send with a request. It does not reveal the secret. */
  proofOf(secret: string): string {
    return createHmac('sha256', this.key).update('proof').update(secret).digest('base64url');
  }

  /** Tells whether this is the proof of that session. */
  proves(secret: string, proof: string): boolean {
    const [given, right] = [Buffer.from(proof), Buffer.from(this.proofOf(secret))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #hash(secret: string): Buffer {
    return createHmac('sha256', this.key).update('session').update(secret).digest();
  }
}
