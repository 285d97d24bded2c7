import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runChild } from '../../src/start/child.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Serves on a free port until the parent process stops it; `close` releases what the answers use. */
export function serve(answer: Answer, close: () => Promise<void> = () => Promise.resolve()): void {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  runChild({
    async start() {
      if (!server.listening) await once(server, 'listening');
      return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await close();
    },
  });
}
