import { setTimeout as sleep } from 'node:timers/promises';
import { adviceOn, explained } from '../failures/advice.js';
import { isAway } from '../failures/away.js';
import { ConfigError, EXIT_CONFIG } from '../config.js';
import { withoutSecrets } from '../logging/redaction.js';
import { EXIT_PASSING, isStop, type Ready } from './messages.js';

/** A service of a child process, which runs until it is told to stop; with or without a supervisor. */
export interface Service {
  /** Resolves when the service is ready, with the address where it listens, if any. */
  start(): Promise<{ readonly address?: string }>;
  /** Finishes work in progress and closes connections. Called once, after `start` has resolved. */
  stop(): Promise<void>;
}

/** How long a service may take to stop. The supervisor has 10 s in all, and must stop the databases too. */
const STOP_WITHIN_MS = 7_000;

/**
 * Runs the service of this process. Tells the supervisor when it is ready; stops it within 7 s on the supervisor's order,
 * SIGTERM or SIGINT; ends the process at once when the supervisor is gone. A failure ends the process too, with exit
 * status 78 for a bad configuration, 75 if another process that was needed was away, and 1 otherwise. Log lines that
 * cannot be written are dropped.
 */
export function runChild(service: Service): void {
  if (process.send && !process.connected) process.exit(1); // the supervisor died before this line
  process.on('disconnect', () => process.exit(1));
  process.stdout.on('error', () => undefined); // a log that cannot be written (full disk, closed pipe) is no reason to end

  const started = service.start().then(({ address }) => {
    const ready: Ready = { type: 'ready', ...(address !== undefined && { address }) };
    process.send?.(ready);
  });
  started.catch(fail);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    const stopped = started.then(() => service.stop());
    const late = sleep(STOP_WITHIN_MS).then(() => {
      throw new Error(`not stopped after ${STOP_WITHIN_MS / 1000} s`);
    });
    Promise.race([stopped, late]).then(() => process.exit(0), fail);
  };
  process.on('message', (message) => {
    if (isStop(message)) stop();
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): never {
  const isKnown = error instanceof ConfigError || adviceOn(error) !== undefined;
  const text = isKnown ? explained(error) : String((error as Error).stack ?? error);
  process.stderr.write(`${withoutSecrets(text)}\n`);
  process.exit(statusOf(error));
}

function statusOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT_CONFIG;
  return isAway(error) ? EXIT_PASSING : 1;
}
