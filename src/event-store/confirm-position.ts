import { START, type Position } from './event-store.js';

/** A log, or a wrapper of one: its `subscribe` behaves as that of `EventStore`. */
interface Followed<Options> {
  subscribe(after: Position, options: Options): AsyncIterable<unknown>;
}

/**
 * Rejects with `PositionNotInLog` if a log does not hold the event at a position, as after an older back-up was
 * restored.
 */
export async function confirmPosition<Options extends object>(
  log: Followed<Options & { readonly signal: AbortSignal }>,
  position: Position,
  options: Options,
): Promise<void> {
  if (position === START) return;
  const looking = new AbortController();
  const batches = log.subscribe(position, { ...options, signal: looking.signal })[Symbol.asyncIterator]();
  try {
    await batches.next();
  } finally {
    looking.abort();
    await batches.return?.();
  }
}
