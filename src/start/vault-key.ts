import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone, unlessThere } from '../presence.js';

const FILE = 'vault.key';

/**
 * The key under `dataDir`, made on first use: 32 bytes in base64, mode 600. Without it the vault cannot be read, so a
 * file that does not hold such a key is an error, never replaced.
 */
export async function vaultKey(dataDir: string): Promise<Buffer> {
  if (!hasVaultKey(dataDir)) await create(join(dataDir, FILE));
  return readVaultKey(dataDir);
}

/** Whether there is one already. */
export const hasVaultKey = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

/** Puts a key there in the form that `readVaultKey` reads: for who restores a vault. */
export const writeVaultKey = (dataDir: string, key: Buffer): Promise<void> =>
  writeFile(join(dataDir, FILE), textOf(key), { mode: 0o600, flush: true });

/** Takes a key away that was made and has sealed nothing: beside a vault of another, it would pass for that. */
export const dropVaultKey = (dataDir: string): Promise<void> => rm(join(dataDir, FILE));

/** The key under `dataDir`, of a vault that was begun: where it is missing nothing is made in its place. */
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

/** Writes the whole key or none, and leaves one that another process was faster to make. */
async function create(path: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, textOf(randomBytes(32)), { mode: 0o600, flush: true });
  try {
    await unlessThere(link(unfinished, path));
  } finally {
    await rm(unfinished);
  }
}

const textOf = (key: Buffer): string => `${key.toString('base64')}\n`;
