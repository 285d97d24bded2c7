import { hkdfSync } from 'node:crypto';

/** What VAULT_KEY is used for; each purpose has a key of its own, so that none weakens another. */
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

/** The key of one purpose, 32 bytes, derived from VAULT_KEY. */
export const derivedKey = (vaultKey: Buffer, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', vaultKey, Buffer.alloc(0), `tallyforge vault: ${purpose}`, 32));
