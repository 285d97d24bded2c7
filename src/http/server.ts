import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ofListening } from '../advice.js';
import { JSON_TYPE } from './answer.js';

/** Slow clients hold a connection no longer than this; a body of the largest size fits in on a slow line. */
const ARRIVES_WITHIN_MS = 120_000;
const LIMITS = {
  headersTimeout: 15_000,
  // It would bind every request; see `limitArrival`.
  requestTimeout: 0,
  // Longer than the idle time of usual load balancers, so that it is they who hang up.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

/** A client that takes nothing of an answer for so long is gone: what is read for it, by a git program maybe, waits meanwhile. */
const SILENCE_MS = 120_000;
/** A client that asks on and on without taking answers is cut off once so many wait behind each other on its connection. */
const AHEAD_AT_MOST = 1_000;

const REAP_MS = 50;
/** How long a connection that has asked for nothing may still do so once the server closes. */
const SILENT_MS = 500;

/** A server that takes requests. */
export interface Listening {
  /** `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Takes no more connections, and resolves when every request under way was answered. */
  close(): Promise<void>;
}

/** Where a server listens, and how long it bears clients that take nothing; port 0 is any free one. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** Two minutes where it is not said. */
  readonly silenceMs?: number;
}

/** Listens, and hands each request to `listener`, which is asked for once the address is known. Rejects where it cannot. */
export async function listen(
  { host, port, silenceMs = SILENCE_MS }: Place,
  listener: (address: string) => RequestListener,
): Promise<Listening> {
  const server = createServer(LIMITS);
  server.timeout = silenceMs;
  server.on('clientError', refuseUnreadable);
  const silent = silentConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(ofListening(error));
    });
    server.listen(port, host, resolve);
  });
  const { address, port: actual } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${actual}`;
  const handle = listener(url);
  server.on('request', (request, response) => {
    if (!limitAhead(request, response)) return;
    limitArrival(request, response);
    limitSilence(request, response);
    handle(request, response);
  });
  return { address: url, close: () => close(server, silent) };
}

const arrivals = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Cuts off a request that has not arrived in time. */
function limitArrival(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => {
    const { socket } = request;
    if (response.headersSent) socket.destroy();
    else refuseUnreadable(Object.assign(new Error('late'), { code: LATE }), socket);
  }, ARRIVES_WITHIN_MS);
  arrivals.set(request, timer);
  const stop = () => {
    clearTimeout(timer);
  };
  request.once('end', stop).once('close', stop);
}

/** A request that takes long to answer is silent too: the connection stays as long as nothing of the answer was sent. */
function limitSilence({ socket }: IncomingMessage, response: ServerResponse): void {
  response.on('timeout', () => {
    if (response.headersSent) socket.destroy();
  });
}

/** How many answers wait behind others. */
const waiting = new WeakMap<Socket, number>();

/** False where the connection is cut off; what has arrived on it by then is not worked on. */
function limitAhead({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return false;
  if (response.socket) return true;
  const ahead = (waiting.get(socket) ?? 0) + 1;
  if (ahead > AHEAD_AT_MOST) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, ahead);
  response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return true;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Lets a request take as long as it needs: who asks for that watches over it. */
export function withoutArrivalLimit(request: IncomingMessage): void {
  clearTimeout(arrivals.get(request));
}

/** Those of a server that have not asked for anything yet: to node they are not idle. */
function silentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}

async function close(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  const patientUntil = performance.now() + SILENT_MS;
  // Connections that are kept alive become idle one by one, as their last request is answered.
  const reap = () => {
    server.closeIdleConnections();
    if (performance.now() > patientUntil) for (const socket of silent) socket.destroy();
  };
  // Once what has arrived is read: where the process was busy, a connection that looks silent may have asked long ago.
  const reaper = setInterval(() => setImmediate(reap), REAP_MS);
  // And those that the system took meanwhile are accepted: it would reset them.
  for (let turn = 0; turn < 2; turn++) await nextTurn();
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

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  [LATE]: ['408 Request Timeout', 'the request took too long to arrive'],
};
