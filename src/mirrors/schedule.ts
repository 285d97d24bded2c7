import { setTimeout as sleep } from 'node:timers/promises';
import { eachOf } from '../each-of.js';
import type { Logger } from '../logger.js';
import type { DueMirror } from '../queries/repositories/mirrors.js';

/** What the schedule asks of others. Where one of them rejects, it is logged and the next round comes all the same. */
export interface MirrorScheduleOptions {
  /** Mirrors that are due, those that wait longest first; so many at most. */
  readonly due: (limit: number) => Promise<readonly DueMirror[]>;
  /** Pulls one, and records what came of it. */
  readonly pull: (mirror: DueMirror) => Promise<unknown>;
  /** Runs `work` unless it runs in another process: then nothing happens. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly logger: Logger;
  /** Between two looks at what is due; 30,000 by default. */
  readonly everyMs?: number;
}

const BATCH = 100;
const AT_ONCE = 2;
const EVERY_MS = 30_000;

/**
 * Pulls mirrors when they are due, in one process at a time and a few at once. What fails is for the log, and for the
 * next time.
 */
export class MirrorSchedule {
  readonly #options: MirrorScheduleOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: MirrorScheduleOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins no more pulls, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Pulls what is due now. */
  async round(): Promise<void> {
    const { due, alone } = this.#options;
    await alone(async () => {
      await eachOf(await due(BATCH), AT_ONCE, (mirror) => this.#pull(mirror));
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { everyMs = EVERY_MS, logger } = this.#options;
    const paused = () => sleep(everyMs, true, { signal, ref: false }).catch(() => false);
    while (await paused()) {
      await this.round().catch((error: unknown) => {
        logger.warn({ err: error }, 'mirrors could not be looked at');
      });
    }
  }

  async #pull(mirror: DueMirror): Promise<void> {
    const { pull, logger } = this.#options;
    if (this.#stopping.signal.aborted) return;
    await pull(mirror).catch((error: unknown) => {
      logger.warn({ err: error, repository: mirror.repositoryId }, 'a mirror was not pulled');
    });
  }
}
