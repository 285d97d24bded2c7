import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import { UsageError } from '../../programs/program.js';
import { KEY_FILE, type Manifest } from '../manifest.js';
import { fingerprintOf } from '../vault-fingerprint.js';

/**
 * Returns the vault key of a back-up: the given one, or else the included one. Rejects with `UsageError` if it is missing,
 * wrong, or cannot be read.
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
  const path = join(folder, KEY_FILE);
  const text = await unlessGone(readFile(path, 'utf8')).catch((error: unknown) => {
    throw new UsageError(
      `${path} cannot be read`,
      `run this as a user who may read it. ${(error as Error).message}`,
    );
  });
  return text === undefined ? undefined : Buffer.from(text.trim(), 'base64');
}
