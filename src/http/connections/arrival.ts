import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseLate } from './unreadable.js';

/** Slow clients hold a connection no longer than this; a body of the largest size fits in on a slow line. */
const ARRIVES_WITHIN_MS = 120_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Cuts off a request that has not arrived in time. */
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

/** Lets a request take as long as it needs: whoever asks for that watches over it. */
export function withoutArrivalLimit(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
