import { collectGarbage } from './collect-garbage.js';
import type { RollingServices } from './roll-forward.js';

/** How many repositories may wait. Others are considered again when their refs move the next time. */
const WAITING_AT_MOST = 10_000;

/** How long a repository rests after a failure: it would fail again (for want of room, say) and take others' room again. */
const REST_MS = 60 * 60 * 1000;

/** Called when garbage could not be collected. */
type OnError = (error: unknown, repositoryId: number) => void;

/** Collects the garbage of repositories that have much of it, one repository at a time, in the background. */
export class GarbageCollector {
  readonly #waiting = new Set<number>();
  /** The repositories where it failed, and until when they are left alone, by `performance.now()`. */
  readonly #resting = new Map<number, number>();
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(
    private readonly services: RollingServices,
    private readonly onError: OnError,
  ) {}

  /** Queues a repository to be checked for garbage. Does nothing after `close`, nor within an hour after a failure. */
  readonly consider = (repositoryId: number): void => {
    if (this.#isClosed() || this.#waiting.size >= WAITING_AT_MOST || this.#rests(repositoryId)) return;
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

  #rests(repositoryId: number): boolean {
    const until = this.#resting.get(repositoryId) ?? 0;
    if (until > performance.now()) return true;
    this.#resting.delete(repositoryId);
    return false;
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // lets the caller continue first
    for (const repositoryId of this.#waiting) {
      if (this.#isClosed()) break;
      this.#waiting.delete(repositoryId);
      if (this.#rests(repositoryId)) continue;
      try {
        if (await this.services.git.hasMuchGarbage(repositoryId))
          await collectGarbage(this.services, repositoryId, this.#stop.signal);
      } catch (error) {
        if (this.#isClosed()) break;
        this.#resting.set(repositoryId, performance.now() + REST_MS);
        this.onError(error, repositoryId);
      }
    }
    this.#working = undefined;
  }
}
