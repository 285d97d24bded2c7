import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How much of a body is discarded at most, in bytes, and for how long, in ms. */
export interface DrainLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

const LIMITS: DrainLimits = { maxBytes: 64 * 1024 * 1024, maxMs: 5_000 };

/**
 * Reads the rest of a body that is not needed, and discards it: a client that is still sending does not look for an
 * answer, and would lose it if the connection were closed meanwhile. Gives up after 64 MiB or 5 s, unless told otherwise.
 * Resolves to whether the body's end was reached.
 */
export async function drain(request: IncomingMessage, limits = LIMITS): Promise<boolean> {
  if (!request.complete && !request.destroyed) await discard(request, limits);
  return request.complete;
}

async function discard(request: IncomingMessage, { maxBytes, maxMs }: DrainLimits): Promise<void> {
  const stop = new AbortController();
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    request
      .on('data', (chunk: Buffer) => {
        if ((bytes += chunk.length) > maxBytes) resolve();
      })
      .once('end', resolve)
      .once('close', resolve)
      .resume();
  });
  await Promise.race([ended, sleep(maxMs, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
  request.pause();
}
