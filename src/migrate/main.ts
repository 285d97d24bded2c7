/** Prepares a given database, as the supervisor prepares its own: once, before api and projector start. */
import { explained } from '../failures/advice.js';
import { ConfigError, EXIT_CONFIG, readServiceConfig } from '../config.js';
import { createLogger } from '../logging/logger.js';
import { withoutSecrets } from '../logging/redaction.js';
import { prepare } from '../start/prepare.js';

try {
  const config = readServiceConfig(process.env);
  const log = createLogger({ name: 'migrate', level: config.logLevel });
  await prepare(config, log, (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${withoutSecrets(explained(error))}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
}
