import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ofListening } from '../../failures/advice.js';
import { limitArrival } from '../connections/arrival.js';
import { closeServer } from '../connections/closing.js';
import { endIfEarly } from '../connections/early.js';
import { holdBody } from '../connections/expectation.js';
import { inTurn } from '../connections/in-turn.js';
import { limitSlowness, SLOWEST_MS } from '../connections/slowness.js';
import { namesOneHost, refuseExpectation, refuseHosts, refuseUnreadable } from '../connections/unreadable.js';

const LIMITS = {
  headersTimeout: 15_000,
  // Off, because it would limit every request; `limitArrival` does this instead.
  requestTimeout: 0,
  // Longer than the idle timeout of common load balancers, so that they are the ones to hang up.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  // Off, because it would answer without a body; `refuseHosts` does this instead.
  requireHostHeader: false,
};

/** How long requests in progress may take once the server closes, in ms; then they are cut off. */
const CLOSED_WITHIN_MS = 5_000;

/** A listening server. */
export interface Listening {
  /** The address with scheme and port, such as `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Accepts no more connections. Resolves when every request in progress is answered or, after five seconds, cut off. */
  close(): Promise<void>;
}

/** Where a server listens; port 0 stands for any free port. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** How often to look for clients that read hardly anything, in ms; two minutes by default. */
  readonly slowestMs?: number;
  /** How long requests in progress may take once the server closes, in ms; five seconds by default. */
  readonly closedWithinMs?: number;
}

/** Starts listening. Calls `listener` for the request handler once the address is known. Rejects if it cannot listen. */
export async function listen(
  { host, port, slowestMs = SLOWEST_MS, closedWithinMs = CLOSED_WITHIN_MS }: ListenOptions,
  listener: (address: string) => RequestListener,
): Promise<Listening> {
  const server = createServer(LIMITS);
  server.maxHeadersCount = 0; // no limit beside that of their size: headers beyond one would be dropped without a word
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', refuseExpectation);
  const connections = connectionsOf(server);
  await new Promise<void>((resolve, reject) => {
    // Stays attached: failing to accept a connection, for want of descriptors or memory, is an `error` too, and ends nothing.
    server.on('error', (error) => {
      reject(ofListening(error));
    });
    server.listen(port, host, resolve);
  });
  limitSlowness(server, connections.all, slowestMs);
  const { address, port: actual } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${actual}`;
  const handle = listener(url);
  const answers = new Set<ServerResponse>();
  let isParting = false;
  server.on('request', (request, response) => {
    if (!namesOneHost(request)) {
      refuseHosts(response);
      return;
    }
    if (isParting) response.shouldKeepAlive = false;
    inTurn(request, response, () => {
      request.url = originForm(request.url);
      limitArrival(request, response);
      endIfEarly(request, response);
      answers.add(response);
      response.once('close', () => answers.delete(response));
      handle(request, response);
    });
  });
  server.on('checkContinue', (request, response) => {
    holdBody(request, response);
    server.emit('request', request, response);
  });
  return {
    address: url,
    close() {
      isParting = true;
      return closeServer(server, { silent: connections.silent, answers }, closedWithinMs);
    },
  };
}

/** Tracks a server's connections: all of them, and the silent ones, which have not sent a request yet. */
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

/** Returns the path of a request's target, without the server that may precede it (RFC 9112 §3.2.2). */
function originForm(target = ''): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}
