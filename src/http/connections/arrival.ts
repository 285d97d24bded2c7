import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseLate } from './unreadable.js';

/** How long a request may take to arrive, in ms: enough for the largest body on a slow line. */
const ARRIVES_WITHIN_MS = 120_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends the connection of a request whose body has not arrived in time. */
export function limitArrival(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => {
    const { socket } = request;
    if (response.headersSent) socket.destroy();
    else refuseLate(socket);
  }, ARRIVES_WITHIN_MS);
  timers.set(request, timer);
  const stop = () => {
    clearTimeout(timer);
  };
  request.once('end', stop).once('close', stop);
}

/** Removes the time limit of a request; the caller then limits it otherwise. */
export function withoutArrivalLimit(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}

/** Tells whether a request has a body, by its head. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
