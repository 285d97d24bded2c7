import type { Vault } from '../../vault/vault.js';

/**
 * Runs work that gives somebody a public key, an account or a repository, when nobody else gives that key to anybody: a
 * user's key is nobody else's, so that each looks first at what the other kind has.
 */
export const asSoleAdder = <T>(
  vault: Pick<Vault, 'digest' | 'withKeyLock'>,
  fingerprint: string,
  work: () => Promise<T>,
): Promise<T> => vault.withKeyLock(vault.digest('public key', fingerprint), work);
