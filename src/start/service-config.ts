import { dataDirOf, readConfig, type ServiceConfig } from '../config.js';
import { hasVaultKey, readVaultKey } from './vault-key.js';

/**
 * Reads the configuration of a process that is given its database: under the supervisor, or in a container. The vault's
 * key is `VAULT_KEY`, or else the one that `migrate` made in `DATA_DIR`. Throws `ConfigError`, also without a database or a
 * key.
 */
export async function readServiceConfig(env: NodeJS.ProcessEnv): Promise<ServiceConfig> {
  const key = hasVaultKey(dataDirOf(env)) ? [] : ['VAULT_KEY'];
  const config = readConfig(env, ['DATABASE_URL', ...key]);
  const vaultKey = config.vaultKey ?? (await readVaultKey(config.dataDir));
  return { ...config, vaultKey } as ServiceConfig;
}
