import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often to look for clients that take next to nothing. */
export const SLOWEST_MS = 120_000;
/** Whoever takes less in that time is cut off: what the answer is read from, maybe a git program, waits meanwhile. */
const SLOWEST_BYTES = 65_536;

/** What of a socket tells how much the other side takes; node's own limits look there. */
type Handled = Socket & {
  readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
};

/** Cuts off clients that had something to take at the last look, still have, and took next to nothing in between. */
export function limitSlowness(server: Server, connections: ReadonlySet<Socket>, everyMs: number): void {
  const before = new WeakMap<Socket, number>();
  const look = () => {
    for (const socket of connections) {
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as Handled)._handle ?? {};
      const taken = bytesWritten - writeQueueSize;
      if (writeQueueSize === 0) before.delete(socket);
      else if (taken - (before.get(socket) ?? -Infinity) < SLOWEST_BYTES) socket.destroy();
      else before.set(socket, taken);
    }
  };
  const timer = setInterval(look, everyMs);
  server.once('close', () => {
    clearInterval(timer);
  });
}
