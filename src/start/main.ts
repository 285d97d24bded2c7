/** `npm start`, after installation and build: see `setup/start.mjs`. */
import { fileURLToPath } from 'node:url';
import { explained } from '../failures/advice.js';
import { ConfigError, EXIT_CONFIG, readConfig } from '../config.js';
import { createLogger } from '../logging/logger.js';
import { withoutSecrets } from '../logging/redaction.js';
import { refuseFewOpenFiles } from './open-files.js';
import { prepare } from './prepare.js';
import { stopSignals } from './stop-signals.js';
import { supervise } from './supervisor.js';

const compiled = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

process.stdout.on('error', () => undefined); // as in the children: a log that cannot be written is no reason to end

try {
  refuseFewOpenFiles();
  const config = readConfig(process.env);
  const log = createLogger({ name: 'start', level: config.logLevel });
  await supervise({
    config,
    environment: process.env,
    log,
    children: [
      { name: 'projector', entry: compiled('projections/main.js') },
      { name: 'dispatcher', entry: compiled('src/webhooks/main.js') },
      { name: 'api', entry: compiled('src/main.js') },
    ],
    prepare: (settled) => prepare(settled, log, say),
    onReady: (address) => {
      say(`Tallyforge listens on ${address}`);
    },
    ...stopSignals(),
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${withoutSecrets(explained(error))}\n`);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
}
