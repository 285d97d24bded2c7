import type { IncomingMessage, ServerResponse } from 'node:http';
import { drain, type DrainLimits } from '../body/drain.js';
import { hasBody } from './arrival.js';
import { isHeld } from './expectation.js';

/** How long a client whose request is answered already may go on sending it; other servers allow as much. */
const LINGER: DrainLimits = { maxBytes: Infinity, maxMs: 30_000 };

/**
 * Has an answer that begins before the request's body has arrived be the last one of its connection. HAProxy 2.6 cuts
 * such a request short, and sends one of another client in its place, which would be read as the rest of that body.
 */
export function endIfEarly(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) {
      response.shouldKeepAlive = false;
      linger(request);
    }
    return writeHead(...head);
  };
}

/**
 * Has Node.js, once the answer is sent, close a connection only when the body has come, and throw that away: a client
 * that is still sending does not look for an answer, and would lose it otherwise. One that waits to be told to send the
 * body does not send it.
 */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete || isHeld(request)) {
      close();
      return;
    }
    socket.end();
    request.unpipe().removeAllListeners('data'); // whoever was reading it would go on gathering what nobody counts
    void drain(request, LINGER).then(close);
  };
}
