import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fsync } from '../files/durable.js';
import { unlessGone, unlessThere } from '../files/presence.js';

const FILE = 'vault.key';

/**
 * Returns the key in `dataDir`, created on first use: 32 bytes in base64, mode 600. Without it the vault cannot be read,
 * so a file without a valid key is an error and is never replaced.
 */
export async function vaultKey(dataDir: string): Promise<Buffer> {
  if (!hasVaultKey(dataDir)) await create(join(dataDir, FILE));
  return readVaultKey(dataDir);
}

/** Tells whether the key exists. */
export const hasVaultKey = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

/** Writes a key in the format of `readVaultKey`, durably, for restoring a vault. */
export async function writeVaultKey(dataDir: string, key: Buffer): Promise<void> {
  await writeFile(join(dataDir, FILE), textOf(key), { mode: 0o600, flush: true });
  await fsync(dataDir);
}

/** Removes a new key that has sealed nothing. Beside a vault of another key, it would be mistaken for that vault's. */
export const dropVaultKey = (dataDir: string): Promise<void> => rm(join(dataDir, FILE));

/** Reads the key in `dataDir` of an existing vault. If it is missing, no new one is created. */
export async function readVaultKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  const text = await unlessGone(readFile(path, 'utf8'));
  if (text === undefined)
    throw new Error(`there is no ${path}: put the vault's key back, or set VAULT_KEY to it`);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32)
    throw new Error(`${path} does not hold 32 bytes in base64: put the vault's key back`);
  return key;
}

/** Writes the key file, atomically and durably; keeps the file of another process that was faster. */
async function create(path: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, textOf(randomBytes(32)), { mode: 0o600, flush: true });
  try {
    await unlessThere(link(unfinished, path));
  } finally {
    await rm(unfinished);
  }
  await fsync(dirname(path)); // what is sealed from now on must not outlive the key
}

const textOf = (key: Buffer): string => `${key.toString('base64')}\n`;
