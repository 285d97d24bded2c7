/** The projector: keeps the read models up to the log. */
import { connect, WRITER_SILENCE_MS, type Connections } from '../src/connections.js';
import { createLogger } from '../src/logging/logger.js';
import { warning } from '../src/logging/warning.js';
import { runChild } from '../src/start/child.js';
import { readServiceConfig } from '../src/start/service-config.js';
import { Projector } from './engine/projector.js';
import { ensureSchemas } from './engine/schemas.js';
import { projections } from './registry.js';

const stop = new AbortController();
let connections: Connections | undefined;
let running: Promise<void> | undefined;

runChild({
  async start() {
    const config = await readServiceConfig(process.env);
    const log = createLogger({ name: 'projector', level: config.logLevel });
    const onError = warning(log, 'a connection failed');
    const options = { applicationName: 'tallyforge-projector', onError, silenceMs: WRITER_SILENCE_MS };
    connections = await connect(config, options);
    const schemas = await ensureSchemas(connections.db, projections);
    const created = schemas.filter((schema) => schema.created).map(({ schema }) => schema);
    if (created.length > 0) log.info({ schemas: created }, 'new tables: building them from the first event');
    for (const { schema, otherVersions } of schemas) {
      if (otherVersions.length > 0) {
        log.warn(
          { schema, stale: otherVersions },
          'stale tables are kept until npm run rebuild -- --all --drop-old',
        );
      }
    }
    await connections.vault.start(); // it hears of keys that are shredded
    const database = { url: config.databaseUrl, ...options };
    running = new Projector({ database, source: connections.log, projections, log }).run(stop.signal);
    return {};
  },
  async stop() {
    stop.abort();
    await running;
    await connections?.close();
  },
});
