/** The API process: one of any number. */
import { schemaOf } from '../projections/projection.js';
import { projections } from '../projections/registry.js';
import { startApi, type Api } from './http/server/api.js';
import { createLogger } from './logging/logger.js';
import { releaseVersion } from './start/release-version.js';
import { readServiceConfig } from './start/service-config.js';
import { runChild } from './start/child.js';

const version = releaseVersion();
const schemas = Object.fromEntries(projections.map((projection) => [projection.name, schemaOf(projection)]));

let api: Api | undefined;

runChild({
  async start() {
    const config = await readServiceConfig(process.env);
    const logger = createLogger({ name: 'api', level: config.logLevel });
    api = await startApi({ config, logger, version, schemas, processMetrics: true });
    logger.info({ address: api.address }, 'listening');
    return { address: api.address };
  },
  async stop() {
    await api?.stop();
  },
});
