import { readConfig, type ServiceConfig } from '../../src/config.js';

export const ADMIN_PASSWORD = 'the administrator of a bench';

/** What differs from an ordinary installation: receivers of webhooks are on this machine. */
export const BENCH_ENVIRONMENT = { ALLOW_LOCAL_NETWORKS: 'true' };

/** An installation on that database; git is kept under `dataDir`. */
export const benchConfig = (databaseUrl: string, dataDir: string): ServiceConfig => ({
  ...readConfig({
    ...BENCH_ENVIRONMENT,
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_PASSWORD,
  }),
  databaseUrl,
  vaultKey: Buffer.alloc(32, 'bench'),
});
