import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.js';
import { pause } from '../pause.js';
import type { DueMirror } from '../queries/repositories/mirrors.js';

/** What the schedule asks of others. Where one of them rejects, it is logged and the next round comes all the same. */
export interface MirrorScheduleOptions {
  /** Mirrors that are due, in the order in which they are pulled; so many at most. */
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
const AT_ONCE = 4;
/** Whose sources are slow leaves some places to others. */
const OF_ONE_OWNER = 2;
const EVERY_MS = 30_000;

/** What one process is at, by repository, and when it began what. */
interface Round {
  readonly underWay: Map<number, { readonly ownerId: number; readonly pulled: Promise<void> }>;
  readonly begunAt: Map<number, number>;
}

/**
 * Pulls mirrors when they are due, in one process at a time and a few at once. What fails is for the log, and for the
 * next time.
 */
export class MirrorSchedule {
  readonly #everyMs: number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: MirrorScheduleOptions) {
    this.#everyMs = options.everyMs ?? EVERY_MS;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins no more pulls, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Pulls what is due, and what comes to be while some take their time; resolves once nothing is under way any more. */
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

  /** Begins to pull as many as there is room for. One that read models still show as due was begun just now. */
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

  /** Resolves when one of those under way is done, or it is time to look at what is due. */
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
