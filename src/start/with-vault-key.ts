import { ConfigError, type Config } from '../config.js';
import { OtherVaultKey } from '../vault/people.js';
import { dropVaultKey, hasVaultKey, vaultKey } from './vault-key.js';

/** For a vault in use without a configured key or key file, where a newly made key cannot open anything. */
const KEY_IS_MISSING =
  'VAULT_KEY is not set, there is no DATA_DIR/vault.key, and the vault was sealed with a key: put that one back. A back-up holds it as keys/vault.key';

/**
 * Prepares the vault with its key: the configured one, or else that in `DATA_DIR`, which is made on first use. If the vault
 * turns out to be sealed with another key, one just made is removed again, and `ConfigError` says that a key is missing.
 */
export async function withVaultKey<T>(
  { vaultKey: given, dataDir }: Pick<Config, 'vaultKey' | 'dataDir'>,
  prepare: (vaultKey: Buffer) => Promise<T>,
): Promise<T> {
  const makesKey = given === undefined && !hasVaultKey(dataDir);
  const key = given ?? (await vaultKey(dataDir));
  return prepare(key).catch(async (error: unknown) => {
    if (!makesKey || !((error as Error).cause instanceof OtherVaultKey)) throw error;
    await dropVaultKey(dataDir);
    throw new ConfigError([KEY_IS_MISSING], { cause: error });
  });
}
