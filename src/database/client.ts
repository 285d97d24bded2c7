import type { Socket } from 'node:net';
import pg from 'pg';

/** As of pg; `silenceMs` is how long the server may say nothing while it owes an answer, for ever where it is not given. */
export interface ClientConfig extends pg.ClientConfig {
  readonly silenceMs?: number | undefined;
}

const LOOKS = 10;
const GOODBYE_MS = 1_000;
const ASK_EVERY_MS = 1_000;

/**
 * A connection that ends by itself once the server owes an answer and is silent for too long. A host that lost its power
 * and a firewall that forgot the connection close nothing: nobody else would tell.
 */
export class Client extends pg.Client {
  constructor(config: ClientConfig = {}) {
    super(config);
    if (config.silenceMs !== undefined) this.#watch(config.silenceMs);
  }

  /** What is under way is still answered; a server that does not hang up then is not waited for. */
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

  /** Counts looks, not time: after a pause of this process answers may lie there that were not read yet. */
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
    const timer = setInterval(look, ms).unref();
    this.once('end', () => {
      clearInterval(timer);
    });
  }

  /** What pg's types leave out. */
  get #inner() {
    return this as unknown as {
      /** False while a statement is under way, not there while it connects. */
      readonly readyForQuery?: boolean;
      readonly connection: { readonly stream: Socket };
    };
  }
}

/** Asks time and again, until the connection ends: silence shows before somebody needs the answer, and where nobody asks. */
export function keepAsking(client: pg.ClientBase): void {
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    await client.query('select 1').catch(() => undefined); // 'end' tells
    isAsking = false;
  };
  const asking = setInterval(() => {
    if (!isAsking) void ask();
  }, ASK_EVERY_MS).unref();
  client.once('end', () => {
    clearInterval(asking);
  });
}
