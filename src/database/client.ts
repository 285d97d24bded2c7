import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseUnavailable } from './unavailable.js';

/** pg's options, and `silenceMs`: how long the server may be silent while it owes an answer; for ever by default. */
export interface ClientConfig extends pg.ClientConfig {
  readonly silenceMs?: number | undefined;
}

/** How long a server may take to let a connection in, unless its options say otherwise. */
const ADMISSION_MS = 20_000;
const LOOKS = 10;
const GOODBYE_MS = 1_000;
const ASK_EVERY_MS = 1_000;

/**
 * A connection that ends by itself if the server does not let it in, or owes an answer and is silent for too long. Without
 * that, a host that lost its power, or a firewall that dropped the connection, would never be noticed, because neither
 * closes it.
 */
export class Client extends pg.Client {
  constructor(config: ClientConfig = {}) {
    super({ connectionTimeoutMillis: ADMISSION_MS, ...config });
    if (config.silenceMs !== undefined) this.#watch(config.silenceMs);
  }

  /**
   * Ends the connection, a pipelined one once the statements under way are answered. Does not wait long for the server
   * to close it.
   */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.#every(GOODBYE_MS, () => {
      if (this.#inner.readyForQuery !== false) this.#inner.connection.stream.destroy();
    });
    if (!callback) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Counts checks instead of time, because after a pause of this process there may be answers that were not read yet. */
  #watch(silenceMs: number): void {
    let heard = 0;
    let silent = 0;
    this.#every(silenceMs / LOOKS, () => {
      const { readyForQuery, connection } = this.#inner;
      const { bytesRead } = connection.stream;
      silent = readyForQuery !== true && bytesRead === heard ? silent + 1 : 0;
      heard = bytesRead;
      if (silent > LOOKS) connection.stream.destroy();
    });
  }

  #every(ms: number, look: () => void): void {
    if (this.#inner._ended) return; // nothing would end it
    const timer = setInterval(look, ms).unref();
    this.once('end', () => {
      clearInterval(timer);
    });
  }

  /** The parts of pg's client that its types lack. */
  get #inner() {
    return this as unknown as {
      /** False while a statement is under way, undefined while it connects. */
      readonly readyForQuery?: boolean;
      /** Whether the connection is over. */
      readonly _ended: boolean;
      readonly connection: { readonly stream: Socket };
    };
  }
}

/** Opens a plain connection to a database, as `connectWith` does. */
export const connectTo = (url: string, applicationName: string): Promise<pg.Client> =>
  connectWith({ connectionString: url, application_name: applicationName });

/**
 * Opens a plain connection for statements one by one. Once it is lost, the next one fails. Rejects with
 * `DatabaseUnavailable` if none can be made.
 */
export async function connectWith(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new Client(options);
  client.on('error', () => undefined); // unheard, it would end the process
  await letIn(client);
  return client;
}

/** Connects a client. Rejects with `DatabaseUnavailable` whatever keeps it out, such as a server with too many clients. */
export const letIn = (client: pg.Client): Promise<unknown> =>
  client.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailable('the database cannot be reached', { cause });
  });

/** Sends a trivial query every second until the connection ends, so that a dead connection is noticed even when idle. */
export function keepAsking(client: pg.ClientBase): void {
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    await client.query('select 1').catch(() => undefined); // the event 'end' reports it
    isAsking = false;
  };
  const asking = setInterval(() => {
    if (!isAsking) void ask();
  }, ASK_EVERY_MS).unref();
  client.once('end', () => {
    clearInterval(asking);
  });
}
