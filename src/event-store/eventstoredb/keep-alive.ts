import { MAX_KEEP_ALIVE_MS } from './connection-options.js';
import { optionsOf } from './connection-string.js';

const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 3_000;

/**
 * Returns the keep-alive options of the n-th client that is made of a connection string, whose own options they follow and
 * replace: what it asks for or the defaults, and up to a second more, so that no two of a million have the same. "Never" is
 * given as a long time, for the client would make a timer of it that runs out at once.
 */
export function keepAliveOptions(url: string, n: number): readonly string[] {
  const options = optionsOf(url);
  const interval = Number(options.get('keepaliveinterval') ?? INTERVAL_MS);
  const timeout = Number(options.get('keepalivetimeout') ?? TIMEOUT_MS);
  return [
    `keepAliveInterval=${(interval > 0 ? interval : MAX_KEEP_ALIVE_MS) + (Math.floor(n / 1_000) % 1_000)}`,
    `keepAliveTimeout=${timeout + (n % 1_000)}`,
  ];
}
