import type pg from 'pg';
import { Readable } from 'node:stream';
import type { Connections } from '../connections.js';
import { queryableOf, type Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { liftTimeLimits } from '../database/time-limits.js';
import type { Position } from '../event-store/event-store.js';
import type { Git } from '../git/git.js';
import { keptMigrations, keptSchemas } from './kept-schemas.js';
import { KEY_FILE, writeManifest, type Manifest } from './manifest.js';
import { RepositoryPacks } from './packs.js';
import { repositoriesChanged, repositoriesInLog } from './repository-streams.js';
import { SummedFiles } from './summed-files.js';
import { listTables, rowsOf, type KeptTable } from './tables.js';
import { fingerprintOf } from './vault-fingerprint.js';

/** The inputs of a back-up. With `withKeys` the vault's key is included; `say` receives lines of progress. */
export interface BackUpOptions {
  readonly connections: Connections;
  readonly git: Git;
  /** The version of this release. */
  readonly version: string;
  readonly vaultKey: Buffer;
  readonly withKeys: boolean;
  readonly say: (line: string) => void;
}

/** The result of a back-up: its position in the log, the number of repositories in it, and those that git could not read. */
export type BackUp = Pick<Manifest, 'position' | 'repositories' | 'unreadable'>;

/** How many snapshots are tried in all. One is discarded if a repository was deleted while its last changes were packed. */
const ATTEMPTS = 20;

/**
 * Fills a folder with all data that cannot be derived, as of one position of the log. Servers keep reading and writing
 * meanwhile. Repositories are packed first, because that takes longest; then a snapshot of the database is taken, the
 * changes of repositories up to its position are added, and the snapshot is copied.
 */
export async function backUp(folder: string, options: BackUpOptions): Promise<BackUp> {
  const { connections, git, say, vaultKey, withKeys, version } = options;
  const { db, log } = connections;
  const files = await SummedFiles.in(folder);
  try {
    const packs = new RepositoryPacks({ log, git, files });
    const begun = await log.lastPosition();
    const again = new Set<number>();
    for await (const ids of repositoriesInLog(db)) {
      for (const id of await packs.bringTo(ids, begun)) again.add(id);
      say(`repositories: ${packs.count} so far`);
    }
    const snapshot = await consistentSnapshot(connections, async (client, position) => {
      const changed = await repositoriesChanged(queryableOf(client), begun, position);
      const gone = await packs.bringTo(new Set([...again, ...changed]), position);
      for (const id of gone) again.add(id);
      if (gone.length > 0) return undefined;
      say(`repositories: ${packs.count}, up to position ${position}`);
      return copyTables(client, files, say);
    });
    if (withKeys)
      await files.write(KEY_FILE, Readable.from([Buffer.from(`${vaultKey.toString('base64')}\n`)]));
    const made = {
      position: String(snapshot.position),
      repositories: packs.count,
      unreadable: packs.unreadable,
    };
    await writeManifest(folder, {
      tallyforge: version,
      made_at: snapshot.madeAt,
      ...snapshot.result,
      ...made,
      vault_key: { included: withKeys, fingerprint: fingerprintOf(vaultKey) },
      sums: await files.finish(),
    });
    return made;
  } finally {
    await files.close();
  }
}

interface Snapshot<T> {
  readonly position: Position;
  readonly madeAt: string;
  readonly result: T;
}

/** Runs `work` in one snapshot of the database, and repeats it in a newer snapshot while it returns undefined. */
async function consistentSnapshot<T>(
  { db }: Connections,
  work: (client: pg.ClientBase, position: Position) => Promise<T | undefined>,
): Promise<Snapshot<T>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const snapshot = await db.exclusive(async (connection, client) => {
      await connection.rows('begin isolation level repeatable read, read only');
      try {
        await liftTimeLimits(connection); // packing takes its time, and so do large tables
        const { position, madeAt } = await headOf(connection);
        const result = await work(client, position);
        await connection.rows('rollback');
        return result && { position, madeAt, result };
      } catch (error) {
        // After a COPY that was not read to its end, the connection answers no other query.
        await (client as unknown as Pick<pg.Client, 'end'>).end();
        throw error;
      }
    });
    if (snapshot) return snapshot;
  }
  throw new Error('repositories are deleted all the time: try again later');
}

async function headOf(connection: Queryable): Promise<{ position: Position; madeAt: string }> {
  const [head] = await connection.rows<{ position: number | bigint; now: Date }>(
    'select position, now() from events.head',
  );
  if (!head) throw new Error('the log has no head');
  return { position: BigInt(head.position), madeAt: head.now.toISOString() };
}

async function copyTables(
  client: pg.ClientBase,
  files: SummedFiles,
  say: (line: string) => void,
): Promise<Pick<Manifest, 'migrations' | 'tables'>> {
  const tables: KeptTable[] = [];
  for (const table of await listTables(client, keptSchemas)) {
    const file = `database/${table.schema}.${table.name}.copy.gz`;
    const { compressed, count } = rowsOf(client, table);
    const bytes = await files.write(file, compressed);
    say(`${table.schema}.${table.name}: ${count()} rows, ${bytes} bytes`);
    tables.push({ ...table, rows: count(), file });
  }
  const migrations = await queryableOf(client).rows<Manifest['migrations'][number]>(sql`
    select folder, name from migrations.applied
    where folder = any(${keptMigrations}::text[]) order by folder, name`);
  return { migrations, tables };
}
