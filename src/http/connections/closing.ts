import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long kept-alive connections may still bring requests once the server closes; each answer then ends its connection. */
const PARTING_MS = 100;
const REAP_MS = 50;
/** How long a connection that has asked for nothing may still do so once the server closes. */
const SILENT_MS = 500;

/** Takes no more connections, and resolves when all are closed: cut off where they are not `withinMs`. */
export async function closeServer(
  server: Server,
  /** The connections that have not asked for anything yet: to node they are not idle. */
  silent: ReadonlySet<Socket>,
  withinMs: number,
): Promise<void> {
  // Those that the system took meanwhile are accepted: it would reset them.
  for (let turn = 0; turn < 2; turn++) await nextTurn();
  // Not by the close of http, which ends idle connections at once, and with them what is on its way there.
  NetServer.prototype.close.call(server);
  await sleep(PARTING_MS);
  const patientUntil = performance.now() + SILENT_MS;
  // Connections that are kept alive become idle one by one, as their last request is answered.
  const reap = () => {
    server.closeIdleConnections();
    if (performance.now() > patientUntil) for (const socket of silent) socket.destroy();
  };
  // Once what has arrived is read: where the process was busy, a connection that looks silent may have asked long ago.
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
