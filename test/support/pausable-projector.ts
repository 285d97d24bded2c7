import { Projector, type ProjectorOptions } from '../../projections/engine/projector.js';

export interface PausableProjector {
  isPaused(): boolean;
  pause(): Promise<void>;
  resume(): void;
}

/** Runs a projector in this process until it is paused, and again once it is resumed. */
export function pausableProjector(options: ProjectorOptions): PausableProjector {
  let paused: AbortController;
  let running: Promise<void>;
  const resume = () => {
    paused = new AbortController();
    running = new Projector(options).run(paused.signal);
  };
  resume();
  return {
    isPaused: () => paused.signal.aborted,
    async pause() {
      paused.abort();
      await running;
    },
    resume,
  };
}
