import { randomUUID } from 'node:crypto';
import { Claims } from '../commands/claims.js';
import { CommandHandler } from '../commands/handle.js';
import { Ids } from '../commands/ids.js';
import { recordQuotaDefaults } from '../commands/quota/record-defaults.js';
import type { ServiceConfig } from '../config.js';
import { connect } from '../connections.js';
import type { Logger } from '../logger.js';
import { ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import { createApp } from './app.js';
import type { LoginLimits } from './authentication/login-limits.js';
import { Metrics } from './metrics.js';
import { routesFor } from './routes.js';
import { listen } from './server.js';
import { countAppends } from './system/count-appends.js';
import { lagsOf } from './system/lags.js';
import { readinessOf } from './system/readiness.js';

export interface ApiOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly version: string;
  /** The schema of each read model that is read, by its projection's name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly loginLimits?: LoginLimits;
  /** Whether `/metrics` tells of the process as well. */
  readonly processMetrics?: boolean;
}

export interface Api {
  readonly address: string;
  /** Answers what is under way, then closes every connection. */
  stop(): Promise<void>;
}

const APPLICATION = 'tallyforge-api';

/** How long the read models may take to be where the log is before it serves without: a crash may have set them back. */
const CAUGHT_UP_WITHIN_MS = 10_000;

/** Opens everything the API stands on and listens. Rejects, with nothing left open, where that cannot be. */
export async function startApi({ config, logger, version, schemas, ...options }: ApiOptions): Promise<Api> {
  const onError = (error: unknown) => {
    logger.warn({ err: error }, 'a connection failed');
  };
  const searchPath = Object.values(schemas);
  const metrics: Metrics = new Metrics({
    lags: () => lagsOf(store, readYourWrites),
    process: options.processMetrics ?? false,
  });
  const connections = connect(config, {
    applicationName: APPLICATION,
    searchPath,
    onError,
    onGroupCommit: (appends) => {
      metrics.groupCommitted(appends);
    },
  });
  const { store, vault, log, db } = connections;
  countAppends(store, metrics);
  const database = { url: config.databaseUrl, applicationName: `${APPLICATION}-checkpoints` };
  const readYourWrites = new ReadYourWrites({ database, schemas, onError });
  const stop = async () => {
    await readYourWrites.close();
    await connections.close();
  };

  try {
    await Promise.all([vault.start(), readYourWrites.start()]);
    const commands = new CommandHandler({ log });
    const at = new Date().toISOString();
    const missing = await recordQuotaDefaults(commands, config.quota, { commandId: randomUUID(), at });
    if (missing.length > 0)
      logger.warn({ groups: missing }, 'QUOTA_DEFAULT_GROUPS names groups that do not exist');
    if (!(await readYourWrites.wait(await store.lastPosition(), CAUGHT_UP_WITHIN_MS)))
      logger.warn('the read models are behind the log: answers may be old for a while');
    const server = await listen(config, (address) => {
      const services = {
        log,
        vault,
        db,
        config: config.port === 0 ? { ...config, baseUrl: address } : config,
        version,
        logger,
        readYourWrites,
        commands,
        claims: new Claims({ commands }),
        ids: new Ids({ commands }),
      };
      const readiness = readinessOf({
        pingLog: () => store.ping(),
        pingDatabase: async () => {
          await Promise.all([db.rows('select 1'), vault.ping()]);
          if (!readYourWrites.connected) throw new Error('nothing tells of progress');
        },
        lags: () => lagsOf(store, readYourWrites),
      });
      const { loginLimits } = options;
      const app = createApp({
        services,
        routes: routesFor(config),
        metrics,
        readiness,
        ...(loginLimits && { loginLimits }),
      });
      const callback = app.callback();
      return (request, response) => void callback(request, response);
    });
    return {
      address: server.address,
      async stop() {
        await server.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
