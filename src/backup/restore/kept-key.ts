import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../programs/program.js';
import { KEY_FILE, type Manifest } from '../manifest.js';
import { fingerprintOf } from '../vault-fingerprint.js';

/**
 * Returns the vault key of a back-up: the given one, or else the included one. Rejects with `UsageError` if it is missing
 * or wrong.
 */
export async function keyOf(folder: string, manifest: Manifest, given: Buffer | undefined): Promise<Buffer> {
  const key = given ?? (await readKey(folder));
  if (!key) throw new UsageError(`the back-up has no ${KEY_FILE}`, 'set VAULT_KEY to the key of its vault');
  if (fingerprintOf(key) === manifest.vault_key.fingerprint) return key;
  throw new UsageError(
    `${given ? 'VAULT_KEY' : KEY_FILE} is not the key that the back-up was made with`,
    'set VAULT_KEY to that one',
  );
}

async function readKey(folder: string): Promise<Buffer | undefined> {
  const text = await readFile(join(folder, KEY_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Buffer.from(text.trim(), 'base64');
}
