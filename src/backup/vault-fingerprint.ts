import { derivedKey } from '../vault/keys.js';

/** Returns a fingerprint that tells whether two vault keys are the same, and reveals nothing else about them. */
export const fingerprintOf = (vaultKey: Buffer): string =>
  derivedKey(vaultKey, 'fingerprint').toString('hex').slice(0, 32);
