import type { Checkpoint } from './checkpoint.js';
import { Lane, type LaneOptions } from './lane.js';
import type { ReadModel } from './read-model.js';

interface Running {
  readonly lane: Lane;
  readonly control: AbortController;
  readonly ended: Promise<void>;
  caughtUp: boolean;
}

/**
 * Runs all read models that this process writes. Those at the same checkpoint share a lane; lanes that have caught up with
 * the log are merged into one.
 */
export class Fleet {
  readonly #running = new Set<Running>();
  readonly #stop = new AbortController();
  #merging: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly options: LaneOptions,
    models: readonly ReadModel[],
    checkpoints: ReadonlyMap<string, Checkpoint>,
  ) {
    for (const checkpoint of distinct([...checkpoints.values()])) {
      const { position } = checkpoint;
      const members = models.filter(({ schema }) => checkpoints.get(schema)?.position === position);
      this.#launch(new Lane(options, members, checkpoint));
    }
  }

  /** The first error of a lane that no event caused. The caller must then stop the fleet and make a new one. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Stops all lanes; resolves once the batches being written are written. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#merging;
    await Promise.all(Array.from(this.#running, ({ ended }) => ended));
  }

  #launch(lane: Lane): void {
    const control = new AbortController();
    const signal = AbortSignal.any([control.signal, this.#stop.signal]);
    const onCaughtUp = () => {
      running.caughtUp = true;
      this.#mergeWhatCaughtUp();
    };
    const ended = lane.run({ signal, onCaughtUp }).catch((error: unknown) => this.#fail(error));
    const running: Running = { lane, control, ended, caughtUp: false };
    this.#running.add(running);
  }

  #mergeWhatCaughtUp(): void {
    const ready = [...this.#running].filter(({ caughtUp }) => caughtUp);
    if (this.#merging || this.#failure || ready.length < 2 || this.#stop.signal.aborted) return;
    this.#merging = this.#merge(ready)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#merging = undefined;
        this.#mergeWhatCaughtUp();
      });
  }

  async #merge(parts: readonly Running[]): Promise<void> {
    for (const { control } of parts) control.abort();
    await Promise.all(parts.map(({ ended }) => ended));
    const lanes = parts.map(({ lane }) => lane);
    const target = lanes.map(({ checkpoint }) => checkpoint).reduce(later);
    for (const lane of lanes) await lane.run({ signal: this.#stop.signal, until: target.position });
    for (const part of parts) this.#running.delete(part);
    if (this.#failure || this.#stop.signal.aborted) return;
    this.#launch(
      new Lane(
        this.options,
        lanes.flatMap(({ members }) => members),
        target,
      ),
    );
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }
}

const later = (left: Checkpoint, right: Checkpoint): Checkpoint =>
  left.position > right.position ? left : right;

const distinct = (checkpoints: readonly Checkpoint[]): Checkpoint[] => [
  ...new Map(checkpoints.map((checkpoint) => [checkpoint.position, checkpoint])).values(),
];
