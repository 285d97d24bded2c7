import { StreamNotWhole, type ReadOptions, type RecordedEvent } from '../event-store.js';

/**
 * Refuses what was read of a stream that exists with `StreamNotWhole` where truncated events are missing in it. The
 * server itself gives the part that is left without a word.
 */
export function checkWhole(
  stream: string,
  events: readonly RecordedEvent[],
  { from, direction = 'forwards', max = Infinity }: ReadOptions,
): void {
  const first = events.at(0)?.revision;
  const last = events.at(-1)?.revision;
  const whole =
    direction === 'forwards'
      ? first === (from ?? 0) || (first === undefined && from !== undefined && from > 0)
      : last === 0 || (last !== undefined && events.length === max);
  if (!whole) throw new StreamNotWhole(stream, 'it was truncated');
}
