import { positionOf } from '../event-log/moment.js';
import type { Position } from '../event-store/event-store.js';
import { NOW, type Moment } from '../queries/moment.js';
import { readModelsLate } from './refused.js';
import type { Services } from './services.js';

/**
 * The moment that `as_of` names: a position, or a time by the log's own clock; now where it is absent. Returns once
 * the read models have passed it; throws 503 where they have not after 2 s: what they would tell of it is not what the
 * log says. A moment yet to come is now.
 */
export async function momentOf(asOf: string | undefined, services: Services): Promise<Moment> {
  if (asOf === undefined) return NOW;
  const moment = await positionOf(asOf, services.log);
  if (moment >= 0n) await untilShown(services, moment);
  return moment;
}

/**
 * Returns once the read models show what the log holds up to a position, all of it by default: for what is decided by
 * them. Throws 503 as `momentOf`.
 */
export async function untilShown(
  { log, readYourWrites }: Pick<Services, 'log' | 'readYourWrites'>,
  position?: Position,
): Promise<void> {
  if (!(await readYourWrites.wait(position ?? (await log.lastPosition())))) throw readModelsLate();
}
