import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'vault.key';

/**
 * The key under `dataDir`, made on first use: 32 bytes in base64, mode 600. Without it the vault cannot be read, so a
 * file that does not hold such a key is an error, never replaced.
 */
export async function vaultKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) await create(path);
  const text = await readFile(path, 'utf8');
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32)
    throw new Error(`${path} does not hold 32 bytes in base64: put the vault's key back`);
  return key;
}

/** Writes the whole key or none, and leaves one that another process was faster to make. */
async function create(path: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished);
  }
}
