import { hkdfSync } from 'node:crypto';

/** The purposes of VAULT_KEY. Each has a derived key of its own, so that none weakens another. */
type Purpose =
  | 'person keys'
  | 'tokens'
  | 'sessions'
  | 'answers'
  | 'mirrors'
  | 'deliveries'
  | 'hook secrets'
  | 'digests'
  | 'fingerprint';

/** Derives the key of one purpose, 32 bytes, from VAULT_KEY. */
export const derivedKey = (vaultKey: Buffer, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', vaultKey, Buffer.alloc(0), `tallyforge vault: ${purpose}`, 32));
