import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config.js';
import { withoutSecrets } from './redaction.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** The process, in each line. */
  readonly name: string;
  readonly level: LogLevel;
  /** Standard output by default, made readable where that is a terminal. */
  readonly destination?: DestinationStream;
}

/** A logger of JSON lines with ISO times; no line holds a secret, see `withoutSecrets`. */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  return pino(
    {
      name,
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? (process.stdout.isTTY ? pretty({ sync: true, ignore: 'pid,hostname' }) : process.stdout),
  );
}

/** Without the client that pg hangs on the error of a connection: pages of it, the key that cancels its queries among them. */
function serializeError(error: Error): object {
  return { ...pino.stdSerializers.err(error), client: undefined };
}
