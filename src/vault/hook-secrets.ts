import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** What a hook signs its deliveries with, and the header that it signs in with; empty where there is none. */
export interface HookSecret {
  readonly secret: string;
  readonly authorization: string;
}

interface Row {
  readonly hook_id: number;
  readonly secret: Buffer | null;
  readonly authorization: Buffer | null;
}

/** The secrets of hooks, encrypted. */
export class HookSecrets {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  async find(hookId: number): Promise<HookSecret> {
    return (await this.findEach([hookId])).get(hookId) ?? NONE;
  }

  /** Those of these hooks that have one, by id. */
  async findEach(hookIds: readonly number[]): Promise<ReadonlyMap<number, HookSecret>> {
    if (hookIds.length === 0) return new Map();
    const rows = await this.database.rows<Row>(sql`
      select hook_id, secret_sealed as secret, authorization_sealed as authorization
      from vault.hook_secrets where hook_id = any(${hookIds}::int8[])`);
    return new Map(
      rows.map((row) => [
        row.hook_id,
        {
          secret: this.#open(row.hook_id, 'secret', row.secret),
          authorization: this.#open(row.hook_id, 'authorization', row.authorization),
        },
      ]),
    );
  }

  /** What is left out stays as it is; empty text removes. */
  async keep(hookId: number, { secret, authorization }: Partial<HookSecret>): Promise<void> {
    const sealedSecret = this.#seal(hookId, 'secret', secret);
    const sealedAuthorization = this.#seal(hookId, 'authorization', authorization);
    await this.database.rows(sql`
      insert into vault.hook_secrets as s (hook_id, secret_sealed, authorization_sealed)
      values (${hookId}, ${sealedSecret}, ${sealedAuthorization})
      on conflict (hook_id) do update set
        secret_sealed = case when ${secret === undefined}::boolean
          then s.secret_sealed else excluded.secret_sealed end,
        authorization_sealed = case when ${authorization === undefined}::boolean
          then s.authorization_sealed else excluded.authorization_sealed end,
        unproven_since = excluded.unproven_since`);
  }

  /** Nothing where there is none. */
  async forget(hookId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.hook_secrets where hook_id = ${hookId}`);
  }

  #seal(hookId: number, part: keyof HookSecret, text = ''): Buffer | null {
    return text === '' ? null : seal(this.key, text, purposeOf(hookId, part));
  }

  #open(hookId: number, part: keyof HookSecret, sealed: Buffer | null): string {
    return sealed ? open(this.key, sealed, purposeOf(hookId, part)).toString() : '';
  }
}

const NONE: HookSecret = { secret: '', authorization: '' };

/** What is put in another's place does not open. */
const purposeOf = (hookId: number, part: keyof HookSecret) => `hook ${hookId} ${part}`;
