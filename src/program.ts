import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explained } from './advice.js';
import { EXIT_FAILED } from './command-line.js';
import { ConfigError, EXIT_CONFIG, readConfig, type Config } from './config.js';
import { connect, type ConnectionOptions, type Connections } from './connections.js';
import type { Queryable } from './database/database.js';
import { sql } from './database/sql.js';
import { CLUSTER } from './postgres/connection.js';
import { withPostgres } from './postgres/lease.js';
import { withoutSecrets } from './redaction.js';
import { vaultKey } from './start/vault-key.js';

/** What an operator did wrong: the message is for them, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs an operator's program beside a running server or without one: on the configured database, or on the embedded one
 * of `DATA_DIR`, which is joined or started. `work` gives the exit status, as `exitWith` has it.
 */
export async function runProgram(
  options: Omit<ConnectionOptions, 'onError'>,
  work: (connections: Connections) => Promise<number>,
): Promise<void> {
  await exitWith(() => {
    const config = readConfig(process.env);
    refuseNoData(config);
    return withPostgres(config, async (databaseUrl) => {
      const key = config.vaultKey ?? (await vaultKey(config.dataDir));
      const connections = await connect(
        { ...config, databaseUrl, vaultKey: key },
        { ...options, onError: () => undefined },
      );
      try {
        await refuseUnprepared(connections.db);
        return await work(connections);
      } finally {
        await connections.close();
      }
    });
  });
}

const NOTHING_YET = 'nothing has been served from it yet. Run npm start first';

/** Nothing is made where there was nothing: most likely DATA_DIR is another than that of the server. */
function refuseNoData({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl === undefined && !existsSync(join(dataDir, CLUSTER)))
    throw new UsageError(`DATA_DIR ${dataDir} holds no database: ${NOTHING_YET}, or set DATA_DIR.`);
}

async function refuseUnprepared(db: Queryable): Promise<void> {
  const [found] = await db.rows<{ name: string | null }>(sql`select to_regclass('migrations.applied') name`);
  if (found?.name == null)
    throw new UsageError(`the database is empty: ${NOTHING_YET}, or set DATA_DIR or DATABASE_URL.`);
}

/** Lets the process end with the status that `work` gives; what it throws is told and becomes 2, a wrong configuration 78. */
export async function exitWith(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${withoutSecrets(explained(error))}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILED;
  }
}
