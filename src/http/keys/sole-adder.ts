import type { Vault } from '../../vault/vault.js';

/**
 * Runs work that adds a public key to a user or repository, under a lock for that key: a user's key may be nobody else's,
 * so both kinds of work check the other kind first.
 */
export const asSoleAdder = <T>(
  vault: Pick<Vault, 'digest' | 'withKeyLock'>,
  fingerprint: string,
  work: () => Promise<T>,
): Promise<T> => vault.withKeyLock(vault.digest('public key', fingerprint), work);
