import { Lease } from '../database/lease.js';
import { Database, type DatabaseOptions } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';

/** The lease that lets one process work, and the database that holds it. */
export interface LeadOptions {
  readonly database: DatabaseOptions;
  /** The name of the lease that the processes compete for. */
  readonly lease: string;
  readonly logger: Logger;
}

const RENEW_MS = 1_000;

/**
 * Runs `work` in one process while the others stand by; runs it again after a failure or a lost lease, until aborted.
 * `work` receives a database whose connections a successor ends, and a signal that is aborted when the lease is lost.
 */
export async function lead(
  options: LeadOptions,
  work: (database: Database, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await leadOnce(options, work, signal);
    } catch (error) {
      options.logger.warn({ err: error, lease: options.lease }, 'what follows the log starts again');
      await pause(RENEW_MS, signal);
    }
  }
}

async function leadOnce(
  options: LeadOptions,
  work: (database: Database, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const lease = await Lease.open(options.database);
  const database = new Database({ ...lease.databaseOptions(options.database), maxConnections: 1 });
  const lost = new AbortController();
  let working: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (!signal.aborted && !failure) {
      const held = (await lease.renew([options.lease])).length > 0;
      if (!held && working) throw new Error('another process has taken over');
      if (held)
        working ??= work(database, AbortSignal.any([signal, lost.signal])).catch((error: unknown) => {
          failure = { error };
        });
      await pause(RENEW_MS, signal);
    }
  } finally {
    lost.abort();
    await working;
    await Promise.all([lease.release().catch(() => undefined), database.close()]);
  }
  if (failure) throw failure.error;
}
