import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** The purpose of a hook's secret: it signs the deliveries, or is the value of their header `Authorization`. */
export type HookSecretPart = 'secret' | 'authorization';

interface Row {
  readonly id: string;
  readonly hook_id: number;
  readonly part: HookSecretPart;
  readonly sealed: Buffer;
}

/**
 * Stores the secrets of hooks, encrypted. A secret never changes: a new one is stored under a new id, before the event that
 * refers to it. So a delivery always has secrets and address that belong together.
 */
export class HookSecrets {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /** Stores a secret for a hook that is about to refer to it; returns its id. */
  async keep(hookId: number, part: HookSecretPart, text: string): Promise<string> {
    const id = randomUUID();
    const sealed = seal(this.key, text, purposeOf(hookId, part));
    await this.database.rows(sql`
      insert into vault.hook_secrets (id, hook_id, part, sealed) values (${id}, ${hookId}, ${part}, ${sealed})`);
    return id;
  }

  /** Returns all secrets of these hooks, by id. */
  async findEach(hookIds: readonly number[]): Promise<ReadonlyMap<string, string>> {
    if (hookIds.length === 0) return new Map();
    const rows = await this.database.rows<Row>(sql`
      select id, hook_id, part, sealed from vault.hook_secrets where hook_id = any(${hookIds}::int8[])`);
    return new Map(
      rows.map(({ id, hook_id, part, sealed }) => [
        id,
        open(this.key, sealed, purposeOf(hook_id, part)).toString(),
      ]),
    );
  }

  /** Deletes the secrets of a deleted hook; does nothing if there are none. */
  async forget(hookId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.hook_secrets where hook_id = ${hookId}`);
  }

  /** Deletes secrets that no hook refers to any more. */
  async forgetEach(ids: readonly string[]): Promise<void> {
    await this.database.rows(sql`delete from vault.hook_secrets where id = any(${ids}::text[])`);
  }
}

/** Binds a secret to its hook and purpose, so that it cannot be decrypted in another's place. */
const purposeOf = (hookId: number, part: HookSecretPart) => `hook ${hookId} ${part}`;
