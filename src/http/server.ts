import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ofListening } from '../advice.js';
import { limitArrival } from './connections/arrival.js';
import { closeServer } from './connections/closing.js';
import { inTurn } from './connections/in-turn.js';
import { limitSlowness, SLOWEST_MS } from './connections/slowness.js';
import { refuseUnreadable } from './connections/unreadable.js';

const LIMITS = {
  headersTimeout: 15_000,
  // It would bind every request; see `limitArrival`.
  requestTimeout: 0,
  // Longer than the idle time of usual load balancers, so that it is they who hang up.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

/** Clients do not get what they have not taken by then. */
const CLOSED_WITHIN_MS = 5_000;

/** A server that takes requests. */
export interface Listening {
  /** `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Takes no more connections, and resolves when every request under way was answered or, after five seconds, cut off. */
  close(): Promise<void>;
}

/** Where a server listens; port 0 is any free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How often it looks for clients that take next to nothing; two minutes by default. */
  readonly slowestMs?: number;
  /** How long requests under way may still take once it closes; five seconds by default. */
  readonly closedWithinMs?: number;
}

/** Listens, and hands each request to `listener`, which is asked for once the address is known. Rejects where it cannot. */
export async function listen(
  { host, port, slowestMs = SLOWEST_MS, closedWithinMs = CLOSED_WITHIN_MS }: ListenOptions,
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
      return closeServer(server, connections.silent, closedWithinMs);
    },
  };
}

/** All of a server, and among them those that have not asked for anything yet. */
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

/** The path that a request is for, without the server that it may name before it (RFC 9112 §3.2.2). */
function originForm(target = ''): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}
