import { positionOf } from '../event-log/moment.js';
import type { Position } from '../event-store/event-store.js';
import { NOW, type Moment } from '../queries/moment.js';
import { isNatural } from '../values/formats.js';
import { readModelsLate } from './refused.js';
import type { Services } from './services.js';

/**
 * Returns the moment that `as_of` names: a position, or a time by the log's clock; the present if it is absent or in the
 * future. Waits until the read models have passed that moment, and throws 503 after 2 s, because they would tell
 * something else than the log.
 */
export async function momentOf(asOf: string | undefined, services: Services): Promise<Moment> {
  if (asOf === undefined) return NOW;
  const moment = await positionOf(asOf, services.log);
  if (moment >= 0n) await untilShown(services, moment);
  return moment;
}

/**
 * Returns the time of the moment that `momentOf` gave for `as_of`: that time, or when the last event up to that position
 * was recorded; now for the present.
 */
export async function timeOfMoment(
  asOf: string | undefined,
  moment: Moment,
  { log }: Pick<Services, 'log'>,
): Promise<Date> {
  const now = new Date();
  if (asOf === undefined) return now;
  const time = isNatural(asOf) ? await log.timeAt(moment) : new Date(asOf);
  return time < now ? time : now;
}

/**
 * Waits until the read models show everything in the log up to a position, by default the last one; for decisions that
 * are based on them. Throws 503 after 2 s, as `momentOf`.
 */
export async function untilShown(
  { log, readYourWrites }: Pick<Services, 'log' | 'readYourWrites'>,
  position?: Position,
): Promise<void> {
  if (!(await readYourWrites.wait(position ?? (await log.lastPosition())))) throw readModelsLate();
}
