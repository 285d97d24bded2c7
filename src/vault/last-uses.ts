import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';

const FLUSH_MS = 10_000;
const MAX_PENDING = 1_000;

/** Records when tokens were last used, in batches, some seconds later. */
export class LastUses {
  #pending = new Map<number, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Queryable,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Notes that a token was used just now. What is noted is written by `flush`, after ten seconds at the latest. */
  note(tokenId: number): void {
    this.#pending.set(tokenId, new Date());
    if (this.#pending.size >= MAX_PENDING) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the pending uses. Never rejects, because losing one does no harm. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    // In one order, so that processes cannot deadlock.
    const uses = [...this.#pending].sort(([one], [other]) => one - other);
    this.#pending = new Map();
    await this.database
      .rows(
        sql`
        update vault.tokens set last_used = used.at
        from unnest(${uses.map(([id]) => id)}::bigint[], ${uses.map(([, at]) => at)}::timestamptz[]) as used (token_id, at)
        where tokens.token_id = used.token_id and (last_used is null or last_used < used.at)`,
      )
      .catch(this.onError);
  }
}
