import { StreamNotWhole, type ReadOptions, type RecordedEvent } from '../event-store.js';

/**
 * Throws `StreamNotWhole` if events that were read of an existing stream are incomplete because it was truncated. The
 * server itself returns the remaining part without an error.
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
