import { STILL } from '../database/still.js';
import type { EventLog } from '../event-log/event-log.js';
import { eventsBetween } from '../event-log/events-between.js';
import { START, type Position } from '../event-store/event-store.js';
import type { HeldRow, RowText } from './quota-rows.js';
import { Replay, type Change } from './replay.js';

/**
 * Replays the log up to a position and yields the quota rows that follow from it: each that ended when it ends, and
 * those that hold at the end last. Only rows that hold are kept in memory.
 */
export async function* rowsOfLog(log: EventLog, until: Position): AsyncGenerator<HeldRow> {
  const replay = new Replay();
  const holding = new Holding();
  for await (const event of eventsBetween(log, START, until))
    yield* holding.changed(replay.apply(event), event.position);
  yield* holding.atTheEnd();
}

/** The rows that hold, and since when. */
class Holding {
  readonly #since = new Map<RowText, Position>();

  *changed({ before, after }: Change, at: Position): Generator<HeldRow> {
    const kept = new Set(after);
    for (const row of before) {
      const from = this.#since.get(row);
      if (from === undefined || kept.has(row)) continue;
      this.#since.delete(row);
      yield { row, from, until: at };
    }
    for (const row of after) if (!this.#since.has(row)) this.#since.set(row, at);
  }

  *atTheEnd(): Generator<HeldRow> {
    for (const [row, from] of this.#since) yield { row, from, until: STILL };
  }
}
