import type { Position } from '../event-store/event-store.js';
import { isNatural, time } from '../values/formats.js';
import type { EventLog } from './event-log.js';

/** Tells whether a text names a moment in the log: a position, or an RFC 3339 time. */
export const isMoment = (text: string): boolean => isNatural(text) || time.safeParse(text).success;

/** Returns the position that a moment stands for. A time is taken by the log's own clock; a moment in the future is now. */
export async function positionOf(
  moment: string,
  log: Pick<EventLog, 'lastPosition' | 'positionAt'>,
): Promise<Position> {
  const asked = isNatural(moment) ? BigInt(moment) : await log.positionAt(new Date(moment));
  const last = await log.lastPosition();
  return asked < last ? asked : last;
}
