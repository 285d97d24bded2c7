import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.js';
import { LogOutput } from './log-output.js';
import { withoutSecrets } from './redaction.js';

export type { Logger } from 'pino';

/** Whoever reads lines on a terminal wants them readable; nobody else need load what makes them so. */
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : undefined;

const standardOutput =
  pretty?.({ sync: true, singleLine: true, ignore: 'pid,hostname' }) ?? new LogOutput(process.stdout);

/** Who writes, from which level on, and where to. */
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
    destination ?? standardOutput,
  );
}

/** Without the client that pg hangs on the error of a connection: pages of it, the key that cancels its queries among them. */
function serializeError(error: Error): object {
  return { ...pino.stdSerializers.err(error), client: undefined };
}
