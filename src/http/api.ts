import { randomUUID } from 'node:crypto';
import { recordQuotaDefaults } from '../commands/quota/record-defaults.js';
import { settleReservations } from '../commands/quota/settle-reservations.js';
import { recoverRefs } from '../commands/repositories/recover.js';
import { RepositoryLocks } from '../commands/repositories/repository-locks.js';
import { checkHooks } from '../push/hooks.js';
import type { ServiceConfig } from '../config.js';
import { connect } from '../connections.js';
import { Database } from '../database/database.js';
import { EditorConfigs } from '../editorconfig/editor-configs.js';
import type { Logger } from '../logger.js';
import { MarkdownRenderer } from '../markdown/renderer.js';
import { caughtUp } from '../read-your-writes/caught-up.js';
import type { MirrorSchedule } from '../mirrors/schedule.js';
import { scheduleMirrors } from '../mirrors/schedule-mirrors.js';
import { ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import { Replica } from '../read-your-writes/replica.js';
import { Deliveries } from '../webhooks/deliveries.js';
import { createApp } from './app.js';
import type { LoginLimits } from './authentication/login-limits.js';
import { Metrics } from './metrics.js';
import { openServices } from './open-services.js';
import { fromReplica } from './reads.js';
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
  /** How long a request waits for a database that starts again, and for read models that a crash set back; 5 s. */
  readonly readsWithinMs?: number;
  /** Whether `/metrics` tells of the process as well. */
  readonly processMetrics?: boolean;
}

export interface Api {
  readonly address: string;
  /** Answers what is under way, then closes every connection. */
  stop(): Promise<void>;
}

const APPLICATION = 'tallyforge-api';

/** How long the read models may take to be where the log is before the api listens nevertheless. */
const CAUGHT_UP_WITHIN_MS = 10_000;

const READS_WITHIN_MS = 5_000;

/** Opens everything the API stands on and listens. Rejects, with nothing left open, where that cannot be. */
export async function startApi({ config, logger, version, schemas, ...options }: ApiOptions): Promise<Api> {
  const onError = (error: unknown) => {
    logger.warn({ err: error }, 'a connection failed');
  };
  const database = { url: config.databaseUrl, applicationName: `${APPLICATION}-checkpoints` };
  const readYourWrites = new ReadYourWrites({ database, schemas, onError });
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : new Replica({
          url: config.databaseReplicaUrl,
          applicationName: `${APPLICATION}-reads`,
          schemas,
          primary: readYourWrites,
          onError,
        });
  const metrics: Metrics = new Metrics({
    lags: () => lagsOf(store, readYourWrites),
    deliveries: () => deliveries.counts(),
    ...(replica && { replica }),
    process: options.processMetrics ?? false,
  });
  const connections = await connect(config, {
    applicationName: APPLICATION,
    onError,
    onGroupCommit: (appends) => {
      metrics.groupCommitted(appends);
    },
  });
  const { store, vault, log } = connections;
  const db = new Database({
    url: config.databaseUrl,
    applicationName: `${APPLICATION}-reads`,
    searchPath: [...Object.values(schemas), 'public'],
    onError,
    admit: (connection, signal) => caughtUp(connection, { log, schemas, signal }),
    patienceMs: options.readsWithinMs ?? READS_WITHIN_MS,
  });
  countAppends(store, metrics);
  const markdown = new MarkdownRenderer({
    onFailure: (error) => {
      logger.warn({ err: error }, 'a text could not be rendered');
    },
  });
  const deliveries = new Deliveries({ db: connections.db });
  const editorConfigs = new EditorConfigs();
  const repositoryLocks = new RepositoryLocks(config);
  const stop = async () => {
    repositoryLocks.close();
    await markdown.close();
    await editorConfigs.close();
    await replica?.close();
    await readYourWrites.close();
    await db.close();
    await connections.close();
  };
  /** What goes on beside the first requests. */
  const recovering: Promise<unknown>[] = [];

  try {
    await Promise.all([vault.start(), readYourWrites.start()]);
    replica?.start();
    const services = await openServices({
      config,
      logger,
      version,
      connections,
      db,
      readYourWrites,
      markdown,
      editorConfigs,
      deliveries,
      repositoryLocks,
    });
    const { remotes, archives, refusals } = services;
    let mirrors: MirrorSchedule | undefined;
    const at = new Date().toISOString();
    const missing = await recordQuotaDefaults(services.commands, config.quota, {
      commandId: randomUUID(),
      at,
    });
    if (missing.length > 0)
      logger.warn({ groups: missing }, 'QUOTA_DEFAULT_GROUPS names groups that do not exist');
    if (!(await readYourWrites.wait(await store.lastPosition(), CAUGHT_UP_WITHIN_MS)))
      logger.warn('the read models are behind the log: requests wait for them');
    await checkHooks();
    recovering.push(
      recoverRefs(services, (error, repository) => {
        logger.error({ err: error, repository }, 'the refs of a repository are not where the log says');
      }).catch((error: unknown) => {
        logger.error({ err: error }, 'what crashes left is not settled: npm run reconcile does it');
      }),
      settleReservations(services).catch((error: unknown) => {
        logger.warn({ err: error }, 'reservations of crashed writers wait for whoever stores something next');
      }),
    );
    const server = await listen(config, (address) => {
      const served = config.port === 0 ? { ...services, config: { ...config, baseUrl: address } } : services;
      mirrors = scheduleMirrors(served);
      mirrors.start();
      const readiness = readinessOf({
        pingLog: () => store.ping(),
        pingDatabase: async () => {
          await Promise.all([db.rows('select 1'), vault.ping()]);
          if (!readYourWrites.connected) throw new Error('nothing tells of progress');
        },
        lags: () => lagsOf(store, readYourWrites),
        replica,
      });
      const { loginLimits } = options;
      const app = createApp({
        services: served,
        routes: routesFor(config),
        metrics,
        readiness,
        ...(loginLimits && { loginLimits }),
        ...(replica && {
          reads: fromReplica(replica, (source) => {
            metrics.read(source);
          }),
        }),
      });
      const callback = app.callback();
      return (request, response) => void callback(request, response);
    });
    return {
      address: server.address,
      async stop() {
        await remotes.close(); // a migration may take longer than anybody waits for a process to end
        await archives.close();
        await mirrors?.stop();
        await server.close();
        await Promise.all(recovering);
        await refusals.close();
        await stop();
      },
    };
  } catch (error) {
    await Promise.all(recovering);
    await stop();
    throw error;
  }
}
