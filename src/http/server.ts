import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
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

/** A client that takes less of an answer within so long is gone: what is read for it, by a git program maybe, waits meanwhile. */
const SLOWEST = { bytes: 65_536, everyMs: 120_000 };
/** A client that asks on and on without taking answers is cut off once so many requests wait on its connection. */
const AHEAD_AT_MOST = 1_000;

/** How long connections that are kept alive may still be asked on once the server closes; each answer then ends its own. */
const PARTING_MS = 100;
const REAP_MS = 50;
/** How long a connection that has asked for nothing may still do so once the server closes. */
const SILENT_MS = 500;
/** What clients have not taken by then they do not get. */
const CLOSED_WITHIN_MS = 5_000;

/** A server that takes requests. */
export interface Listening {
  /** `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Takes no more connections, and resolves when every request under way was answered or, after five seconds, cut off. */
  close(): Promise<void>;
}

/** Where a server listens; port 0 is any free one. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** How often it looks for clients that take next to nothing; two minutes where it is not said. */
  readonly slowestMs?: number;
  /** What is under way when it closes gets so long; five seconds where it is not said. */
  readonly closedWithinMs?: number;
}

/** Listens, and hands each request to `listener`, which is asked for once the address is known. Rejects where it cannot. */
export async function listen(
  { host, port, slowestMs = SLOWEST.everyMs, closedWithinMs = CLOSED_WITHIN_MS }: Place,
  listener: (address: string) => RequestListener,
): Promise<Listening> {
  const server = createServer(LIMITS);
  server.on('clientError', refuseUnreadable);
  const connections = connectionsOf(server);
  await new Promise<void>((resolve, reject) => {
    // For good: a connection that cannot be accepted, for want of descriptors or memory, is told here too, and ends nothing.
    server.on('error', (error) => {
      reject(ofListening(error));
    });
    server.listen(port, host, resolve);
  });
  limitSlowness(server, connections.all, slowestMs);
  const { address, port: actual } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${actual}`;
  const handle = listener(url);
  let isParting = false;
  server.on('request', (request, response) => {
    if (isParting) response.shouldKeepAlive = false;
    inTurn(request, response, () => {
      request.url = originForm(request.url);
      limitArrival(request, response);
      handle(request, response);
    });
  });
  return {
    address: url,
    close() {
      isParting = true;
      return close(server, connections.silent, closedWithinMs);
    },
  };
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

/** What of a socket tells how much the other side takes; node's own limits look there. */
type Handled = Socket & {
  readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
};

/** Cuts off who had something to take at the last look, has so still, and took next to nothing in between. */
function limitSlowness(server: Server, connections: ReadonlySet<Socket>, everyMs: number): void {
  const before = new WeakMap<Socket, number>();
  const look = () => {
    for (const socket of connections) {
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as Handled)._handle ?? {};
      const taken = bytesWritten - writeQueueSize;
      if (writeQueueSize === 0) before.delete(socket);
      else if (taken - (before.get(socket) ?? -Infinity) < SLOWEST.bytes) socket.destroy();
      else before.set(socket, taken);
    }
  };
  const timer = setInterval(look, everyMs);
  server.once('close', () => {
    clearInterval(timer);
  });
}

/** How many requests wait for others of their connection. */
const waiting = new WeakMap<Socket, number>();

/**
 * Works on one request of a connection at a time, in the order they came (RFC 9112 §9.3.2). Those that still wait when
 * the connection ends are not worked on, and it is cut off where they are too many.
 */
function inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  if (socket.destroyed) return;
  if (response.socket) {
    begin();
    return;
  }
  const ahead = (waiting.get(socket) ?? 0) + 1;
  if (ahead > AHEAD_AT_MOST) {
    socket.destroy();
    return;
  }
  waiting.set(socket, ahead);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    begin();
  });
}

/** The path that a request is for, without the server that it may name before it (RFC 9112 §3.2.2). */
function originForm(target = ''): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Lets a request take as long as it needs: who asks for that watches over it. */
export function withoutArrivalLimit(request: IncomingMessage): void {
  clearTimeout(arrivals.get(request));
}

/** All of a server, and among them those that have not asked for anything yet: to node they are not idle. */
function connectionsOf(server: Server): Readonly<Record<'all' | 'silent', ReadonlySet<Socket>>> {
  const all = new Set<Socket>();
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    all.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      all.delete(socket);
      silent.delete(socket);
    });
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return { all, silent };
}

async function close(server: Server, silent: ReadonlySet<Socket>, withinMs: number): Promise<void> {
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
