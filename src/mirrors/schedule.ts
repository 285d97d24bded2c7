import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';
import type { DueMirror } from '../queries/repositories/mirrors.js';

/** What the schedule calls. If a call rejects, the error is logged, and the next round takes place nevertheless. */
export interface MirrorScheduleOptions {
  /** Returns at most `limit` due mirrors, in the order in which to pull them. */
  readonly due: (limit: number) => Promise<readonly DueMirror[]>;
  /** Pulls a mirror and records the result. */
  readonly pull: (mirror: DueMirror) => Promise<unknown>;
  /** Runs `work`, unless another process is running it; then it does nothing. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly logger: Logger;
  /** The time between two searches for due mirrors, in milliseconds; 30,000 by default. */
  readonly everyMs?: number;
}

const BATCH = 100;
const AT_ONCE = 4;
/** How many mirrors of one owner are pulled at once, so that slow sources leave places to others. */
const OF_ONE_OWNER = 2;
const EVERY_MS = 30_000;

/** The pulls of this process by repository: those in progress, and when each was begun. */
interface Round {
  readonly underWay: Map<number, { readonly ownerId: number; readonly pulled: Promise<void> }>;
  readonly begunAt: Map<number, number>;
}

/**
 * Pulls mirrors when they are due, in one process at a time and a few at once. Failures are logged and retried in a later
 * round.
 */
export class MirrorSchedule {
  readonly #everyMs: number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: MirrorScheduleOptions) {
    this.#everyMs = options.everyMs ?? EVERY_MS;
  }

  /** Begins to pull in the background. To be called once. */
  start(): void {
    this.#running = this.#run();
  }

  /** Begins no more pulls, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Pulls all due mirrors, including those that become due meanwhile; resolves when no pull is in progress any more. */
  async round(): Promise<void> {
    await this.options.alone(async () => {
      const round: Round = { underWay: new Map(), begunAt: new Map() };
      for (;;) {
        await this.#begin(round).catch((error: unknown) => this.#tell(error));
        if (round.underWay.size === 0) return;
        await this.#change(round);
      }
    });
  }

  /** Begins as many pulls as there are places. Skips those that were just begun and that read models still show as due. */
  async #begin({ underWay, begunAt }: Round): Promise<void> {
    const now = performance.now();
    for (const mirror of await this.options.due(BATCH)) {
      const { repositoryId, ownerId } = mirror;
      if (this.#stopping.signal.aborted || underWay.size >= AT_ONCE) return;
      const ofOwner = Array.from(underWay.values()).filter((other) => other.ownerId === ownerId);
      if (ofOwner.length >= OF_ONE_OWNER || underWay.has(repositoryId)) continue;
      if (now - (begunAt.get(repositoryId) ?? -Infinity) < this.#everyMs) continue;
      begunAt.set(repositoryId, now);
      const pulled = this.#pull(mirror).finally(() => underWay.delete(repositoryId));
      underWay.set(repositoryId, { ownerId, pulled });
    }
  }

  /** Resolves when a pull in progress ends, or when it is time to look for due mirrors. */
  async #change({ underWay }: Round): Promise<void> {
    const done = new AbortController();
    const pulls = Array.from(underWay.values(), ({ pulled }) => pulled);
    await Promise.race([...pulls, pause(this.#everyMs, done.signal)]);
    done.abort();
  }

  #tell(error: unknown): void {
    this.options.logger.warn({ err: error }, 'mirrors could not be looked at');
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const paused = () => sleep(this.#everyMs, true, { signal, ref: false }).catch(() => false);
    while (await paused()) await this.round().catch((error: unknown) => this.#tell(error));
  }

  async #pull(mirror: DueMirror): Promise<void> {
    const { pull, logger } = this.options;
    await pull(mirror).catch((error: unknown) => {
      logger.warn({ err: error, repository: mirror.repositoryId }, 'a mirror was not pulled');
    });
  }
}
