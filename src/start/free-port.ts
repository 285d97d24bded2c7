import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ofListening } from '../failures/advice.js';

/**
 * The range lies below the ephemeral ports of operating systems, so that no other program gets the port by chance before
 * the api listens, or while it restarts.
 */
const FIRST = 20_000;
const LAST = 29_999;

/**
 * Finds a TCP port of `host` that is free now. With `PORT=0` it is chosen once, so that the api keeps it when it restarts.
 */
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
