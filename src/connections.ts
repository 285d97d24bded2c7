import type { ServiceConfig } from './config.js';
import { Database } from './database/database.js';
import { EventLog } from './event-log/event-log.js';
import { categories } from './event-log/event-types.js';
import type { EventStore } from './event-store/event-store.js';
import { PostgresEventStore } from './event-store/postgres/postgres-event-store.js';
import { Vault } from './vault/vault.js';

/**
 * How long the database may owe an answer to a process that writes in the background, in ms. A batch takes a fraction of
 * it.
 */
export const WRITER_SILENCE_MS = 20_000;

/** How a process connects; `onError` is called with errors in the background, which no call reports. */
export interface ConnectionOptions {
  /** The name under which PostgreSQL lists the process's connections. */
  readonly applicationName: string;
  /** The schemas of the read models that the process reads. */
  readonly searchPath?: readonly string[];
  readonly onError: (error: unknown) => void;
  /** As in `DatabaseOptions`: how long the database may owe an answer, in ms. */
  readonly silenceMs?: number;
  /** As in `PostgresEventStoreOptions`: how often subscriptions look for events, for a process that no request waits for. */
  readonly lookEveryMs?: number;
  /** Called after each round trip that carried appends to PostgreSQL, with their number. */
  readonly onGroupCommit?: (appends: number) => void;
}

/** The connections that every process of the product needs. */
export interface Connections {
  readonly store: EventStore;
  readonly log: EventLog;
  readonly vault: Vault;
  readonly db: Database;
  /** The URL of the database, for connections besides `db`. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Opens the event log (EventStoreDB if one is configured, else PostgreSQL), the vault and the read models. */
export async function connect(config: ServiceConfig, options: ConnectionOptions): Promise<Connections> {
  const { applicationName, searchPath, onError } = options;
  const db = new Database({
    url: config.databaseUrl,
    applicationName,
    onError,
    silenceMs: options.silenceMs,
    ...(searchPath && { searchPath: [...searchPath, 'public'] }),
  });
  const store = await openEventStore(config, db, options);
  const vault = new Vault({ database: db, key: config.vaultKey, onError });
  const log = new EventLog({ store, people: vault.people });
  return {
    store,
    log,
    vault,
    db,
    databaseUrl: config.databaseUrl,
    async close() {
      await store.close();
      await vault.close();
      await db.close();
    },
  };
}

async function openEventStore(
  { eventStoreUrl, databaseUrl }: ServiceConfig,
  db: Database,
  options: ConnectionOptions,
): Promise<EventStore> {
  if (eventStoreUrl === undefined)
    return new PostgresEventStore({ url: databaseUrl, onLogLost: beginAnew, ...options });
  const { onError } = options;
  // Loading the client takes 25 MB and a tenth of a second, so it is imported only if an EventStoreDB is configured.
  const { EventStoreDbEventStore } = await import('./event-store/eventstoredb/eventstoredb-event-store.js');
  const { MarksInDatabase } = await import('./event-store/eventstoredb/marks.js');
  return new EventStoreDbEventStore({
    url: eventStoreUrl,
    categories,
    marks: new MarksInDatabase(db),
    onLogLost: beginAnew,
    onError,
  });
}

/** Ends the process, because its caches and the ids that it has reserved belong to events that are lost. */
function beginAnew({ message }: Error): never {
  process.stderr.write(`${message}: this process ends, and is to be started again\n`);
  process.exit(1);
}
