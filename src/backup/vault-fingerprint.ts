import { derivedKey } from '../vault/keys.js';

/** Tells whether two keys of the vault are the same, and nothing else of them. */
export const fingerprintOf = (vaultKey: Buffer): string =>
  derivedKey(vaultKey, 'fingerprint').toString('hex').slice(0, 32);
