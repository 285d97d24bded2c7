import type { Position } from '../event-store/event-store.js';
import { isNatural, time } from '../formats.js';
import type { EventLog } from './event-log.js';

/** Whether a text names a moment in the log: a position, or an RFC 3339 time. */
export const isMoment = (text: string): boolean => isNatural(text) || time.safeParse(text).success;

/** The position that a moment stands for; a time is one of the log's own clock. What is yet to come is now. */
export async function positionOf(
  moment: string,
  log: Pick<EventLog, 'lastPosition' | 'positionAt'>,
): Promise<Position> {
  const asked = isNatural(moment) ? BigInt(moment) : await log.positionAt(new Date(moment));
  const last = await log.lastPosition();
  return asked < last ? asked : last;
}
