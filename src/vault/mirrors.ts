import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { open, seal } from './sealing.js';

/** What a source is signed in to with, in clear: for memory alone. */
export interface MirrorCredentials {
  readonly username: string;
  readonly password: string;
}

/** What pull mirrors sign in with at their sources, encrypted. */
export class Mirrors {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
  ) {}

  /** Undefined where the source asks for nothing. */
  async find(repositoryId: number): Promise<MirrorCredentials | undefined> {
    const [row] = await this.database.rows<{ sealed: Buffer }>(sql`
      select sealed from vault.mirrors where repository_id = ${repositoryId}`);
    return (
      row && (JSON.parse(open(this.key, row.sealed, purposeOf(repositoryId)).toString()) as MirrorCredentials)
    );
  }

  async keep(repositoryId: number, { username, password }: MirrorCredentials): Promise<void> {
    const sealed = seal(this.key, JSON.stringify({ username, password }), purposeOf(repositoryId));
    await this.database.rows(sql`
      insert into vault.mirrors (repository_id, sealed) values (${repositoryId}, ${sealed})
      on conflict (repository_id) do update set
        sealed = excluded.sealed, unproven_since = excluded.unproven_since`);
  }

  /** Drops what is kept for a mirror; nothing where there is none. */
  async forget(repositoryId: number): Promise<void> {
    await this.database.rows(sql`delete from vault.mirrors where repository_id = ${repositoryId}`);
  }
}

/** A row that is put in another's place does not open. */
const purposeOf = (repositoryId: number) => `mirror ${repositoryId}`;
