import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { askForBody } from '../http/connections/expectation.js';
import { Refused } from '../http/refused.js';

/** The least that a client must send in an interval. A slower client is cut off, because it occupies a git process. */
export interface Pace {
  readonly bytes: number;
  readonly everyMs: number;
}

/** The limits of a request's body. A client that sends more slowly than `pace` is refused with 408. */
export interface BodyOptions {
  /** The maximum number of decompressed bytes; more is refused with 413. */
  readonly maxBytes: number;
  readonly pace: Pace;
  /** Called with each piece of the decompressed body, before its reader gets it. */
  readonly watch?: ((piece: Buffer) => void) | undefined;
}

/** Returns the body of a git request as a stream, decompressed if need be. It fails with the answer for the client. */
export function bodyOf(request: IncomingMessage, options: BodyOptions): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!/^(identity|(x-)?gzip)$/.test(encoding))
    throw new Refused(415, 'the body may be packed with gzip only');
  askForBody(request);
  const out = bounded(options);
  out.on('error', () => undefined); // it may fail before it is read; the reader then gets the error
  const stop = keepingPace(request, options.pace, (error) => out.destroy(error));
  out.once('close', stop);
  const cutOff = () => {
    if (!request.readableEnded) out.destroy(new Refused(400, 'the request was cut off'));
  };
  request.once('close', cutOff);
  if (request.destroyed) cutOff(); // the client has disconnected before, and what it sent is lost
  if (encoding === 'identity') return request.pipe(out);
  const gunzip = createGunzip();
  gunzip.once('error', () => out.destroy(new Refused(400, 'the body is no gzip')));
  out.once('close', () => gunzip.destroy());
  return request.pipe(gunzip).pipe(out);
}

function bounded({ maxBytes, watch }: BodyOptions): Transform {
  let left = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) {
        done(new Refused(413, 'the request is too large'));
        return;
      }
      watch?.(chunk);
      done(null, chunk);
    },
  });
}

/** Watches the client's pace, except while the request is paused: the client is not at fault if we do not read. */
function keepingPace(request: IncomingMessage, pace: Pace, late: (error: Refused) => void): () => void {
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isWaiting = !request.complete && !request.isPaused();
    if (isWaiting && bytesRead - before < pace.bytes) late(new Refused(408, 'the request comes too slowly'));
    before = bytesRead;
  }, pace.everyMs);
  const stop = () => {
    clearInterval(timer);
  };
  request.once('end', stop);
  return stop;
}
