import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';
import type { Owners } from './unproven-secrets.js';
import type { Vault } from './vault.js';

const EVERY_MS = 10 * 60_000;

/** Deletes expired data from the vault regularly, until it is aborted. Any number of processes may do this. */
export async function keepVault(
  { answers, unproven }: Pick<Vault, 'answers' | 'unproven'>,
  exists: Owners,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await answers.purge();
      await unproven.settle(exists, signal);
    } catch (error) {
      logger.warn({ err: error }, 'the vault was not cleared of what is too old');
    }
    await pause(EVERY_MS, signal);
  }
}
