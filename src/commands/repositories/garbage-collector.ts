import { collectGarbage } from './collect-garbage.js';
import type { RollingServices } from './roll-forward.js';

/** Those that are not looked at for it are looked at when their refs move again. */
const WAITING_AT_MOST = 10_000;

/** Where it failed, as for want of room, it would fail again, and take the room of others each time. */
const REST_MS = 60 * 60 * 1000;

/** Told of garbage that could not be collected. */
type OnError = (error: unknown, repositoryId: number) => void;

/** Collects the garbage of repositories that have much of it, one at a time, beside everything else. */
export class GarbageCollector {
  readonly #waiting = new Set<number>();
  /** Those where it failed, and until when they are left alone. */
  readonly #resting = new Map<number, number>();
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(
    private readonly services: RollingServices,
    private readonly onError: OnError,
  ) {}

  /** Looks soon whether a repository has much; nothing once closed, nor within an hour after that failed. */
  readonly consider = (repositoryId: number): void => {
    if (this.#isClosed() || this.#waiting.size >= WAITING_AT_MOST || this.#rests(repositoryId)) return;
    this.#waiting.add(repositoryId);
    this.#working ??= this.#work();
  };

  /** What is under way is given up: it is begun anew when refs move again. */
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
    await Promise.resolve(); // whoever asked goes on first
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
