/** Prepares a given database, as the supervisor prepares its own: once, before api and projector start. */
import { explained } from '../failures/advice.js';
import { ConfigError, EXIT_CONFIG, readConfig, type ServiceConfig } from '../config.js';
import { makeDataDir } from '../files/make-data-dir.js';
import { createLogger } from '../logging/logger.js';
import { withoutSecrets } from '../logging/redaction.js';
import { prepare } from '../start/prepare.js';
import { withVaultKey } from '../start/with-vault-key.js';

try {
  const config = readConfig(process.env, ['DATABASE_URL']);
  const log = createLogger({ name: 'migrate', level: config.logLevel });
  if (!config.vaultKey) await makeDataDir(config.dataDir);
  await withVaultKey(config, (vaultKey) =>
    prepare({ ...config, vaultKey } as ServiceConfig, log, (line) => process.stdout.write(`${line}\n`)),
  );
} catch (error) {
  process.stderr.write(`${withoutSecrets(explained(error))}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
}
