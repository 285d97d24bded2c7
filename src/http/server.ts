import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { JSON_TYPE } from './answer.js';

/** Slow clients hold a connection no longer than this; a body of the largest size fits in on a slow line. */
const LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  // Longer than the idle time of usual load balancers, so that it is they who hang up.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

const REAP_MS = 50;

export interface Listening {
  /** `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Takes no more connections, and resolves when every request under way was answered. */
  close(): Promise<void>;
}

/** Listens, and hands each request to `listener`, which is asked for once the address is known. Rejects where it cannot. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  listener: (address: string) => RequestListener,
): Promise<Listening> {
  const server = createServer(LIMITS);
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, port: actual } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${actual}`;
  server.on('request', listener(url));
  return { address: url, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  // Connections that are kept alive become idle one by one, as their last request is answered.
  const reaper = setInterval(() => {
    server.closeIdleConnections();
  }, REAP_MS);
  try {
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  } finally {
    clearInterval(reaper);
  }
}

/** What is not HTTP, or too much of it, has no route to answer it. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, message] = REASONS[error.code ?? ''] ?? ['400 Bad Request', 'the request is not HTTP'];
  const body = JSON.stringify({ message, url: '/api/swagger' });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};
