import { GitBusy } from '../../git/port/errors.js';
import { recentlyUsed } from '../../values/recently-used.js';
import { collectGarbage } from './collect-garbage.js';
import type { RollingServices } from './roll-forward.js';

/** How many repositories may wait. Others are considered again when their refs move the next time. */
const WAITING_AT_MOST = 10_000;

/** How long a repository rests after a failure: it would fail again (for want of room, say) and take others' room again. */
const REST_MS = 60 * 60 * 1000;
/** How many repositories rest at most, because each is remembered; of more, the first ones are tried again earlier. */
const RESTING_AT_MOST = 10_000;

/** Collects the garbage of repositories that have much of it, one repository at a time, in the background. */
export class GarbageCollector {
  readonly #waiting = new Set<number>();
  /** The repositories that are left alone because it failed there. `GitBusy` says nothing of a repository. */
  readonly #resting = recentlyUsed<number, true>(RESTING_AT_MOST, { ttl: REST_MS });
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(
    private readonly services: RollingServices,
    /** Called when garbage could not be collected. */
    private readonly onError: (error: unknown, repositoryId: number) => void,
  ) {}

  /** Queues a repository to be checked for garbage. Does nothing after `close`, nor within an hour after it failed. */
  readonly consider = (repositoryId: number): void => {
    if (this.#isClosed() || this.#waiting.size >= WAITING_AT_MOST || this.#resting.has(repositoryId)) return;
    this.#waiting.add(repositoryId);
    this.#working ??= this.#work();
  };

  /** Aborts the collection that is under way; it starts again when refs move the next time. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // lets the caller continue first
    for (const repositoryId of this.#waiting) {
      if (this.#isClosed()) break;
      this.#waiting.delete(repositoryId);
      if (this.#resting.has(repositoryId)) continue;
      try {
        if (await this.services.git.hasMuchGarbage(repositoryId))
          await collectGarbage(this.services, repositoryId, this.#stop.signal);
      } catch (error) {
        if (this.#isClosed()) break;
        if (!(error instanceof GitBusy)) this.#resting.set(repositoryId, true);
        this.onError(error, repositoryId);
      }
    }
    this.#working = undefined;
  }
}
