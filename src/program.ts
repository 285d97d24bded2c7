import { ConfigError, EXIT_CONFIG, readConfig } from './config.js';
import { connect, type ConnectionOptions, type Connections } from './connections.js';
import { withPostgres } from './postgres/lease.js';
import { vaultKey } from './start/vault-key.js';

/** What an operator did wrong: the message is for them, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The exit status for wrong use, and for whatever kept a program from its answer. */
export const EXIT_FAILED = 2;

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
    return withPostgres(config, async (databaseUrl) => {
      const key = config.vaultKey ?? (await vaultKey(config.dataDir));
      const connections = connect(
        { ...config, databaseUrl, vaultKey: key },
        { ...options, onError: () => undefined },
      );
      try {
        return await work(connections);
      } finally {
        await connections.close();
      }
    });
  });
}

/** Lets the process end with the status that `work` gives; what it throws is told and becomes 2, a wrong configuration 78. */
export async function exitWith(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILED;
  }
}
