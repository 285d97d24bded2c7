import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long kept-alive connections may still send requests once the server closes; each answer then ends its own. */
const PARTING_MS = 100;
const REAP_MS = 50;
/** How long a connection that has not sent a request yet may still do so once the server closes, in ms. */
const SILENT_MS = 500;

/** What Node.js would take for idle, or would wait for. */
export interface Unsettled {
  /** The connections that have not sent a request yet. */
  readonly silent: ReadonlySet<Socket>;
  /** The answers that are not complete yet, or not taken by their clients. */
  readonly answers: ReadonlySet<ServerResponse>;
}

/** Accepts no more connections, and resolves when all are closed. Cuts off those that are still open after `withinMs`. */
export async function closeServer(
  server: Server,
  { silent, answers }: Unsettled,
  withinMs: number,
): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  // Accepts the connections that the system has queued meanwhile, because it would reset them.
  for (let turn = 0; turn < 2; turn++) await nextTurn();
  // Not with `close` of http, which ends idle connections at once, including those with a request on its way, and those
  // whose answer is complete but not taken yet: Node.js counts them as idle.
  NetServer.prototype.close.call(server);
  await sleep(PARTING_MS);
  const patientUntil = performance.now() + SILENT_MS;
  // Kept-alive connections become idle one by one, as their last request is answered.
  const reap = () => {
    if (![...answers].some(({ writableEnded }) => writableEnded)) server.closeIdleConnections();
    if (performance.now() > patientUntil) for (const socket of silent) socket.destroy();
  };
  // After arrived data is read: if the process was busy, a connection that looks silent may have sent a request long ago.
  const reaper = setInterval(() => setImmediate(reap), REAP_MS);
  const late = setTimeout(() => {
    server.closeAllConnections();
  }, withinMs);
  try {
    await closed;
  } finally {
    server.close(); // for what only that of http ends
    clearInterval(reaper);
    clearTimeout(late);
  }
}
