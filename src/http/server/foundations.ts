import type { ServiceConfig } from '../../config.js';
import { connect, type Connections } from '../../connections.js';
import { Database } from '../../database/database.js';
import { EditorConfigs } from '../../editorconfig/editor-configs.js';
import { RepositoryLocks } from '../../commands/repositories/repository-locks.js';
import type { Logger } from '../../logging/logger.js';
import { warning } from '../../logging/warning.js';
import { MarkdownRenderer } from '../../markdown/renderer.js';
import { caughtUp } from '../../read-your-writes/caught-up.js';
import { ReadYourWrites } from '../../read-your-writes/read-your-writes.js';
import { identityOf } from '../../read-your-writes/database-identity.js';
import { Replica } from '../../read-your-writes/replica.js';
import { Deliveries } from '../../webhooks/deliveries.js';
import { Metrics } from './metrics.js';
import type { Services } from '../services.js';
import { countAppends } from '../system/count-appends.js';
import { lagsOf } from '../system/lags.js';

/** What an api opens its connections with. */
export interface FoundationOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly version: string;
  /** The database schema of each read model that is read, by its projection's name. */
  readonly schemas: Readonly<Record<string, string>>;
  /** How long a request waits for a database that restarts, and for read models that a crash set back; 5 s by default. */
  readonly readsWithinMs?: number;
  /** Whether `/metrics` also reports on the Node.js process. */
  readonly processMetrics?: boolean;
}

/** What an api opens first and closes last, because the services depend on it. */
export type Foundations = Pick<
  Services,
  'deliveries' | 'editorConfigs' | 'logger' | 'markdown' | 'repositoryLocks' | 'version'
> & {
  readonly config: ServiceConfig;
  readonly connections: Connections;
  /** The read models, on the primary. */
  readonly db: Database;
  readonly readYourWrites: ReadYourWrites;
  /** The replica of the read models, if one is configured. */
  readonly replica: Replica | undefined;
  readonly metrics: Metrics;
  close(): Promise<void>;
};

const APPLICATION = 'tallyforge-api';
const READS_WITHIN_MS = 5_000;
/** How many spare connections keep quick queries from waiting behind long searches. */
const SPARE_CONNECTIONS = 3;
/** How long the database may owe an answer before the connection counts as lost. No statement takes that long. */
const SILENCE_MS = 10_000;

/** Opens the connections. If one of them fails, closes the others and rejects. */
export async function openFoundations(options: FoundationOptions): Promise<Foundations> {
  const { config, logger, version, schemas } = options;
  const onError = warning(logger, 'a connection failed');
  const reading = { applicationName: `${APPLICATION}-reads`, onError };
  const readYourWrites = new ReadYourWrites({
    database: { url: config.databaseUrl, applicationName: `${APPLICATION}-checkpoints` },
    schemas,
    onError,
  });
  const { databaseReplicaUrl: replicaUrl } = config;
  const replica =
    replicaUrl === undefined
      ? undefined
      : new Replica({
          ...reading,
          url: replicaUrl,
          schemas,
          primary: readYourWrites,
          identity: () => identityOf(connections.db),
        });
  const metrics: Metrics = new Metrics({
    lags: () => lagsOf(connections.store, readYourWrites),
    deliveries: () => deliveries.counts(),
    ...(replica && { replica }),
    process: options.processMetrics ?? false,
  });
  const connections = await connect(config, {
    applicationName: APPLICATION,
    onError,
    silenceMs: SILENCE_MS,
    onGroupCommit: (appends) => {
      metrics.groupCommitted(appends);
    },
  });
  const { store, log, vault } = connections;
  countAppends(store, metrics);
  const db = new Database({
    ...reading,
    url: config.databaseUrl,
    searchPath: [...Object.values(schemas), 'public'],
    admit: (connection, signal) => caughtUp(connection, { log, schemas, signal }),
    patienceMs: options.readsWithinMs ?? READS_WITHIN_MS,
    silenceMs: SILENCE_MS,
    spares: SPARE_CONNECTIONS,
  });
  const markdown = new MarkdownRenderer({
    onFailure: (error, requestId) => {
      logger.warn({ err: error, requestId }, 'a text could not be rendered');
    },
  });
  const deliveries = new Deliveries(connections.db);
  const editorConfigs = new EditorConfigs();
  const repositoryLocks = new RepositoryLocks(config);
  const close = async () => {
    await markdown.close();
    await editorConfigs.close();
    await replica?.close();
    await readYourWrites.close();
    await db.close();
    await connections.close();
    repositoryLocks.close(); // last: requests that were cut off may still work under them
  };
  try {
    await Promise.all([vault.start(), readYourWrites.start()]);
    replica?.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    config,
    logger,
    version,
    connections,
    db,
    readYourWrites,
    replica,
    metrics,
    markdown,
    deliveries,
    editorConfigs,
    repositoryLocks,
    close,
  };
}
