import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** The credentials for a mirror's source, in clear text; never to be stored unencrypted. */
export interface MirrorCredentials {
  readonly username: string;
  readonly password: string;
}

/** Stores the credentials of pull mirrors for their sources, encrypted. */
export class Mirrors {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /** Returns the credentials of a mirror; undefined if its source needs none. */
  async find(repositoryId: number): Promise<MirrorCredentials | undefined> {
    const [row] = await this.database.rows<{ sealed: Buffer }>(sql`
      select sealed from vault.mirrors where repository_id = ${repositoryId}`);
    return (
      row && (JSON.parse(open(this.key, row.sealed, purposeOf(repositoryId)).toString()) as MirrorCredentials)
    );
  }

  /** Stores the credentials of a mirror, in place of earlier ones. */
  async keep(repositoryId: number, { username, password }: MirrorCredentials): Promise<void> {
    const sealed = seal(this.key, JSON.stringify({ username, password }), purposeOf(repositoryId));
    await this.database.rows(sql`
      insert into vault.mirrors (repository_id, sealed) values (${repositoryId}, ${sealed})
      on conflict (repository_id) do update set
        sealed = excluded.sealed, unproven_since = excluded.unproven_since`);
  }

  /** Deletes the credentials of a mirror; does nothing if there are none. */
  async forget(repositoryId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.mirrors where repository_id = ${repositoryId}`);
  }
}

/** Binds credentials to their mirror, so that they cannot be decrypted in another's row. */
const purposeOf = (repositoryId: number) => `mirror ${repositoryId}`;
