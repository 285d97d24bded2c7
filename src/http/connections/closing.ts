import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long kept-alive connections may still send requests once the server closes; each answer then ends its own. */
const PARTING_MS = 100;
const REAP_MS = 50;
/** How long a connection that has not sent a request yet may still do so once the server closes, in ms. */
const SILENT_MS = 500;

/** Accepts no more connections, and resolves when all are closed. Cuts off those that are still open after `withinMs`. */
export async function closeServer(
  server: Server,
  /** The connections that have not sent a request yet; Node.js does not count them as idle. */
  silent: ReadonlySet<Socket>,
  withinMs: number,
): Promise<void> {
  // Accepts the connections that the system has queued meanwhile, because it would reset them.
  for (let turn = 0; turn < 2; turn++) await nextTurn();
  // Not with `close` of http, which ends idle connections at once, including those with a request on its way.
  NetServer.prototype.close.call(server);
  await sleep(PARTING_MS);
  const patientUntil = performance.now() + SILENT_MS;
  // Kept-alive connections become idle one by one, as their last request is answered.
  const reap = () => {
    server.closeIdleConnections();
    if (performance.now() > patientUntil) for (const socket of silent) socket.destroy();
  };
  // After arrived data is read: if the process was busy, a connection that looks silent may have sent a request long ago.
  const reaper = setInterval(() => setImmediate(reap), REAP_MS);
  const late = setTimeout(() => {
    server.closeAllConnections();
  }, withinMs);
  try {
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  } finally {
    clearInterval(reaper);
    clearTimeout(late);
  }
}
