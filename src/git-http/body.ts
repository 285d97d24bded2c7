import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../http/refused.js';

/** A client that sends less than this in a while is taken for gone: it holds a program of ours meanwhile. */
export interface Pace {
  readonly bytes: number;
  readonly everyMs: number;
}

/** How much a client may send, and how slowly: one that is slower is refused with 408. */
export interface BodyOptions {
  /** Bytes, unpacked; more is refused with 413. */
  readonly maxBytes: number;
  readonly pace: Pace;
}

/** The body of a git request as it comes, unpacked where it is packed. Fails with what the client is to be told. */
export function bodyOf(request: IncomingMessage, options: BodyOptions): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const out = bounded(options.maxBytes);
  out.on('error', () => undefined); // it may fail before anybody reads: who does is told then
  const stop = keepingPace(request, options.pace, (error) => out.destroy(error));
  out.once('close', stop);
  request.once('close', () => {
    if (!request.complete) out.destroy(new Refused(400, 'the request was cut off'));
  });
  if (encoding === 'identity') return request.pipe(out);
  if (!/^(x-)?gzip$/.test(encoding)) throw new Refused(415, 'the body may be packed with gzip only');
  const gunzip = createGunzip();
  gunzip.once('error', () => out.destroy(new Refused(400, 'the body is no gzip')));
  out.once('close', () => gunzip.destroy());
  return request.pipe(gunzip).pipe(out);
}

function bounded(maxBytes: number): Transform {
  let left = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Refused(413, 'the request is too large'));
      else done(null, chunk);
    },
  });
}

/** Only while we want more: nobody is blamed for bytes that we do not take. */
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
