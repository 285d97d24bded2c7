import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Reads the rest of a body that is not needed, and discards it: a client that is still sending does not look for an
 * answer, and would lose it if the connection were closed meanwhile. Gives up after 64 MiB or 5 s. Resolves to whether
 * the body's end was reached.
 */
export async function drain(request: IncomingMessage): Promise<boolean> {
  if (!request.complete && !request.destroyed) await discard(request);
  return request.complete;
}

async function discard(request: IncomingMessage): Promise<void> {
  const stop = new AbortController();
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    request
      .on('data', (chunk: Buffer) => {
        if ((bytes += chunk.length) > MAX_BYTES) resolve();
      })
      .once('end', resolve)
      .once('close', resolve)
      .resume();
  });
  await Promise.race([ended, sleep(MAX_MS, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
  request.pause();
}
