import { positionOf } from '../event-log/moment.js';
import { NOW, type Moment } from '../queries/moment.js';
import type { Services } from './services.js';
import { VISIBLE_WITHIN_MS } from './recent-writes.js';

/**
 * The moment that `as_of` names: a position, or a time by the log's own clock; now where it is absent. Returns once
 * the read models have passed it (or after 2 s); a moment yet to come is now.
 */
export async function momentOf(asOf: string | undefined, { log, readYourWrites }: Services): Promise<Moment> {
  if (asOf === undefined) return NOW;
  const moment = await positionOf(asOf, log);
  if (moment >= 0n) await readYourWrites.wait(moment, VISIBLE_WITHIN_MS);
  return moment;
}
