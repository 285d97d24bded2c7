import type { ServiceConfig } from '../config.js';

/**
 * Returns the environment of a child: the supervisor's own with the settled settings, without variables that only the
 * supervisor needs.
 */
export function serviceEnvironment(env: NodeJS.ProcessEnv, config: ServiceConfig): NodeJS.ProcessEnv {
  return {
    ...env,
    ADMIN_PASSWORD: undefined,
    PORT: String(config.port),
    BASE_URL: config.baseUrl,
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl,
    VAULT_KEY: config.vaultKey.toString('base64'),
  };
}
