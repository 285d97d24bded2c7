import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { JSON_TYPE } from '../answers/answer.js';
import { DOCUMENTATION } from '../middleware/errors.js';
import { STANDARD_HEADERS } from '../middleware/standard-headers.js';

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
const REASONS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  [LATE]: ['408 Request Timeout', 'the request took too long to arrive'],
};

const HEADERS = [...STANDARD_HEADERS, ['Connection', 'close'], ['Content-Type', JSON_TYPE]] as const;

/** How long a refused client may take to read why, in ms. Cutting it off at once could lose it the answer. */
const LINGER_MS = 2_000;

/**
 * Answers a request that is not HTTP or is too large, and closes the connection, also if the client does not; no route
 * sees it.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, message] = REASONS[error.code ?? ''] ?? ['400 Bad Request', 'the request is not HTTP'];
  const body = bodyOf(message);
  const headers = HEADERS.map((header) => `${header.join(': ')}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** As `refuseUnreadable`, for a request that took too long to arrive. */
export function refuseLate(socket: Socket): void {
  refuseUnreadable(Object.assign(new Error('late'), { code: LATE }), socket);
}

/** Tells whether a request names one host, as HTTP/1.1 asks of it, and never several (RFC 9112 §3.2). */
export function namesOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts++;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

/** As `refuseUnreadable`, for a request that names no host, or several. */
export function refuseHosts(response: ServerResponse): void {
  refuse(response, 400, 'the request must name one host');
}

/** As `refuseUnreadable`, for a request with an `Expect` other than `100-continue`. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  refuse(response, 417, 'the only thing to expect is 100-continue');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  response.end(bodyOf(message));
}

const bodyOf = (message: string) => JSON.stringify({ message, url: DOCUMENTATION });
