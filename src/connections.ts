import type { ServiceConfig } from './config.js';
import { Database } from './database/database.js';
import { EventLog } from './event-log/event-log.js';
import { categories } from './event-log/event-types.js';
import type { EventStore } from './event-store/event-store.js';
import { PostgresEventStore } from './event-store/postgres/postgres-event-store.js';
import { Vault } from './vault/vault.js';

/**
 * How long the database may owe an answer to a process that writes in the background, in ms: what it writes at once takes a
 * small part of it.
 */
export const WRITER_SILENCE_MS = 20_000;

/** How a process shows in the database; `onError` is told of what fails behind the scenes, and no call reports. */
export interface ConnectionOptions {
  /** Of the process, as PostgreSQL shows it. */
  readonly applicationName: string;
  /** Schemas of the read models that are read. */
  readonly searchPath?: readonly string[];
  readonly onError: (error: unknown) => void;
  /** As of `DatabaseOptions`: how long the database may owe an answer. */
  readonly silenceMs?: number;
  /** As of `PostgresEventStoreOptions`: how often subscriptions look, where nobody waits for what they lead to. */
  readonly lookEveryMs?: number;
  /** After each call that carried appends to PostgreSQL: how many appends it carried. */
  readonly onGroupCommit?: (appends: number) => void;
}

/** What every process of the product stands on. */
export interface Connections {
  readonly store: EventStore;
  readonly log: EventLog;
  readonly vault: Vault;
  readonly db: Database;
  /** Of the database, for connections of one's own. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Opens the event log (EventStoreDB where one is configured, else PostgreSQL), the vault and the read models. */
export async function connect(config: ServiceConfig, options: ConnectionOptions): Promise<Connections> {
  const { applicationName, searchPath, onError } = options;
  const store = await openEventStore(config, options);
  const db = new Database({
    url: config.databaseUrl,
    applicationName,
    onError,
    silenceMs: options.silenceMs,
    ...(searchPath && { searchPath: [...searchPath, 'public'] }),
  });
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
  options: ConnectionOptions,
): Promise<EventStore> {
  if (eventStoreUrl === undefined)
    return new PostgresEventStore({ url: databaseUrl, onLogLost: beginAnew, ...options });
  const { onError } = options;
  // Its client takes each process 25 MB and a tenth of a second to start, which only those who use it pay.
  const { EventStoreDbEventStore } = await import('./event-store/eventstoredb/eventstoredb-event-store.js');
  return new EventStoreDbEventStore({ url: eventStoreUrl, categories, onError });
}

/** What a process remembers is of another log by then, its caches and the ids that it has taken. */
function beginAnew({ message }: Error): never {
  process.stderr.write(`${message}: this process ends, and is to be started again\n`);
  process.exit(1);
}
