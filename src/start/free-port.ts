import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ofListening } from '../advice.js';

/** Below those that systems hand out by themselves: nobody gets one by chance before the api listens, or while it is away. */
const FIRST = 20_000;
const LAST = 29_999;

/** A TCP port of `host` that nobody listens on now, so that `PORT=0` stays the same port when the api starts again. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(host, port)) return port;
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw ofListening(error);
  }
  server.close();
  await once(server, 'close');
  return true;
}
