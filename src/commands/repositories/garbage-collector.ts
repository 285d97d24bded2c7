import { collectGarbage } from './collect-garbage.js';
import type { RollingServices } from './roll-forward.js';

/** Those that are not looked at for it are looked at when their refs move again. */
const WAITING_AT_MOST = 10_000;

/** Told of garbage that could not be collected. */
type OnError = (error: unknown, repositoryId: number) => void;

/** Collects the garbage of repositories that have much of it, one at a time, beside everything else. */
export class GarbageCollector {
  readonly #waiting = new Set<number>();
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(
    private readonly services: RollingServices,
    private readonly onError: OnError,
  ) {}

  /** Looks soon whether a repository has much; nothing once closed. */
  readonly consider = (repositoryId: number): void => {
    if (this.#isClosed() || this.#waiting.size >= WAITING_AT_MOST) return;
    this.#waiting.add(repositoryId);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  };

  /** What is under way is given up: it is begun anew when refs move again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  async #work(): Promise<void> {
    for (const repositoryId of this.#waiting) {
      if (this.#isClosed()) return;
      this.#waiting.delete(repositoryId);
      try {
        if (await this.services.git.hasMuchGarbage(repositoryId))
          await collectGarbage(this.services, repositoryId, this.#stop.signal);
      } catch (error) {
        if (!this.#isClosed()) this.onError(error, repositoryId);
      }
    }
  }
}
