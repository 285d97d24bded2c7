import type { Logger } from '../logging/logger.js';
import { warning } from '../logging/warning.js';
import { regularly } from '../concurrency/regularly.js';
import type { Owners } from './unproven-secrets.js';
import type { Vault } from './vault.js';

const EVERY_MS = 10 * 60_000;

/** Deletes expired data from the vault regularly, until it is aborted. Any number of processes may do this. */
export const keepVault = (
  { answers, unproven }: Pick<Vault, 'answers' | 'unproven'>,
  exists: Owners,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> =>
  regularly(
    async () => {
      await answers.purge();
      await unproven.settle(exists, signal);
    },
    EVERY_MS,
    warning(logger, 'the vault was not cleared of what is too old'),
    signal,
  );
