import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../environment.js';
import { LogOutput } from './log-output.js';
import { withoutSecrets } from './redaction.js';

export type { Logger } from 'pino';

/** Loaded only if standard output is a terminal, where a person reads the lines. */
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : undefined;

const standardOutput =
  pretty?.({ sync: true, singleLine: true, ignore: 'pid,hostname' }) ?? new LogOutput(process.stdout);

/** The name in each line, the lowest level that is written, and where to. */
export interface LoggerOptions {
  /** The name of the process, which is in each line. */
  readonly name: string;
  readonly level: LogLevel;
  /** Standard output by default, formatted for reading if that is a terminal. */
  readonly destination?: DestinationStream;
}

/** Creates a logger that writes JSON lines with ISO times. No line holds a secret, see `withoutSecrets`. */
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

/** Leaves out the client that pg attaches to connection errors: pages of text, with the key that cancels its queries. */
function serializeError(error: Error): object {
  return { ...pino.stdSerializers.err(error), client: undefined };
}
