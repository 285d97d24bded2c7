import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often to look for clients that read hardly anything, in ms. */
export const SLOWEST_MS = 120_000;
/** Clients that read fewer bytes in that time are cut off: they hold up the answer's source, such as a git program. */
const SLOWEST_BYTES = 65_536;

/** The internals of a socket that tell how much the client has read; the timeouts of Node.js use them too. */
type Handled = Socket & {
  readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
};

/** Cuts off clients that had unread data at the last look, still have some, and read hardly anything in between. */
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
