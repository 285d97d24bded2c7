import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import { explained } from '../failures/advice.js';
import { EXIT_FAILED } from './command-line.js';
import { ConfigError, EXIT_CONFIG, readConfig, type Config, type ServiceConfig } from '../config.js';
import { connect, type ConnectionOptions, type Connections } from '../connections.js';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { DomainError } from '../domain/errors.js';
import { CLUSTER } from '../postgres/connection.js';
import { withPostgres } from '../postgres/lease.js';
import { withoutSecrets } from '../logging/redaction.js';
import { refuseUnfinishedRestore } from '../start/unfinished-restore.js';
import { readVaultKey } from '../start/vault-key.js';

/** A mistake of the operator, who is shown what is wrong and what to do next, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(problem: string, next: string) {
    super(`${problem}: ${next}`);
  }
}

/** For `catch`: rethrows a refusal of a domain rule as a `UsageError`, and any other error as it is. */
export function inWords(error: unknown): never {
  throw error instanceof DomainError
    ? new UsageError(error.message, 'correct that, and run this again')
    : error;
}

/**
 * Runs an operator's program, beside a running server or without one, on the configured database or else on the embedded
 * one of `DATA_DIR`, which it joins or starts. `work` receives the configuration with both filled in, and resolves with
 * the exit status; see `exitWith`.
 */
export async function runProgram(
  options: Omit<ConnectionOptions, 'onError'>,
  work: (connections: Connections, config: ServiceConfig) => Promise<number>,
): Promise<void> {
  await exitWith(() => {
    const config = readConfig(process.env);
    refuseUnfinishedRestore(config.dataDir);
    refuseNoData(config);
    return withPostgres(config, async (databaseUrl) => {
      const vaultKey = config.vaultKey ?? (await readVaultKey(config.dataDir));
      const settled = { ...config, databaseUrl, vaultKey };
      const connections = await connect(settled, { ...options, onError: sayOfTheLog() });
      try {
        await refuseUnprepared(connections.db);
        await connections.vault.people.refuseOtherKey();
        await connections.store.lastPosition(); // what follows the log would wait for as long as it is away
        return await work(connections, settled);
      } finally {
        await connections.close();
      }
    });
  });
}

/** Makes a listener for errors in the background: it says, once in a row, that the log went away and is waited for. */
function sayOfTheLog(): (error: unknown) => void {
  let last: string | undefined;
  return (error) => {
    if (!(error instanceof EventStoreUnavailable) || error.message === last) return;
    last = error.message;
    process.stderr.write(`${withoutSecrets(explained(error))}\nThe work goes on once it answers.\n`);
  };
}

const NOTHING_YET = 'nothing has been served from it yet. Run npm start first';

/** Throws `UsageError` if there is no data, most likely because DATA_DIR is not that of the server; nothing is created. */
function refuseNoData({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl === undefined && !isThere(join(dataDir, CLUSTER)))
    throw new UsageError(`DATA_DIR ${dataDir} holds no database`, `${NOTHING_YET}, or set DATA_DIR.`);
}

/** Tells whether there is something at `path`; throws `UsageError` if this user may not look. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${(error as Error).message}`,
      'run this as the user that the server runs as',
    );
  }
}

async function refuseUnprepared(db: Queryable): Promise<void> {
  const [found] = await db.rows<{ name: string | null }>(sql`select to_regclass('migrations.applied') name`);
  if (found?.name == null)
    throw new UsageError('the database is empty', `${NOTHING_YET}, or set DATA_DIR or DATABASE_URL.`);
}

/**
 * Runs `work` and sets the exit status that it resolves with. An error is printed and becomes status 2, a wrong
 * configuration 78. A closed pipe on standard output does not end the work; if output could not be written for another
 * reason, the status is 2 as well.
 */
export async function exitWith(work: () => Promise<number>): Promise<void> {
  let unwritten: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    unwritten ??= error;
  });
  process.stderr.on('error', () => undefined);
  try {
    const status = await work();
    await nextTurn(); // what became of the last line is known by then
    if (unwritten && unwritten.code !== 'EPIPE')
      throw new Error(`what was to be printed here was not: ${unwritten.message}`);
    process.exitCode = status;
  } catch (error) {
    process.stderr.write(`${withoutSecrets(explained(error))}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILED;
  }
}
