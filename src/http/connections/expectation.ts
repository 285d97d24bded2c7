import type { IncomingMessage, ServerResponse } from 'node:http';

/** The responses to requests whose clients wait to be told to send the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Notes a request with `Expect: 100-continue`. Its client learns of a refusal before it sends the body: a final answer
 * instead of `100 Continue` closes the connection, and nothing of the body is read.
 */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** Tells whether a client waits to be told to send the body, which will not come otherwise. */
export const isHeld = (request: IncomingMessage): boolean => waiting.has(request);

/** Tells a client that waits for it to send the body, which is about to be read; does nothing for other clients. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
