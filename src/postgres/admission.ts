import { join } from 'node:path';
import { CLUSTER, PASSWORD_FILE } from './connection.js';

/**
 * Error codes of a server that is not available now: no socket, connection cut, shutting down, starting up, no database
 * yet. pg has none for a connection that was cut, or not let in in time.
 */
const CODES = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '3D000']);

/** Tells whether an error of connecting says that the server is not up, so that a later attempt may succeed. */
export function isNotUp(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? /^(Connection terminated|timeout expired)/.test(message) : CODES.has(code);
}

/** Returns the error of connecting to the server of `dataDir`; names the file of the password if that is refused. */
export function refusalOf(error: unknown, dataDir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // pg has no code for a password that is empty.
  if (code !== undefined && !code.startsWith('28')) return error;
  const file = join(dataDir, CLUSTER, PASSWORD_FILE);
  return new Error(`the PostgreSQL of ${dataDir} does not take the password in ${file}: ${message}`, {
    cause: error,
  });
}
