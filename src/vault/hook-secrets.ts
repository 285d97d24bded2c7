import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** What a secret of a hook is for: its deliveries are signed with it, or it is the header that they sign in with. */
export type HookSecretPart = 'secret' | 'authorization';

interface Row {
  readonly id: string;
  readonly hook_id: number;
  readonly part: HookSecretPart;
  readonly sealed: Buffer;
}

/**
 * The secrets of hooks, encrypted. A secret never changes: another one is kept under another id, before the event that names
 * it. So a delivery has the secrets and the address of the same moment.
 */
export class HookSecrets {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /** Keeps one for a hook that is about to name it; answers with its id. */
  async keep(hookId: number, part: HookSecretPart, text: string): Promise<string> {
    const id = randomUUID();
    const sealed = seal(this.key, text, purposeOf(hookId, part));
    await this.database.rows(sql`
      insert into vault.hook_secrets (id, hook_id, part, sealed) values (${id}, ${hookId}, ${part}, ${sealed})`);
    return id;
  }

  /** All that are kept for these hooks, by id. */
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

  /** Drops the secrets of a hook that is gone; nothing where there are none. */
  async forget(hookId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.hook_secrets where hook_id = ${hookId}`);
  }

  /** Drops secrets that no hook names any more. */
  async forgetEach(ids: readonly string[]): Promise<void> {
    await this.database.rows(sql`delete from vault.hook_secrets where id = any(${ids}::text[])`);
  }
}

/** What is put in another's place does not open. */
const purposeOf = (hookId: number, part: HookSecretPart) => `hook ${hookId} ${part}`;
