import { z } from 'zod';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { UsageError } from '../program.js';

const Time = z.iso.datetime({ offset: true });

/**
 * The position that a moment stands for: a position itself, or an RFC 3339 time by the log's clock. What is yet to come,
 * or not said, is now. Rejects with `UsageError` for what is neither.
 */
export async function positionOf(
  moment: string | undefined,
  log: Pick<EventLog, 'lastPosition' | 'positionAt'>,
): Promise<Position> {
  const last = await log.lastPosition();
  if (moment === undefined) return last;
  const asked = /^\d{1,18}$/.test(moment) ? BigInt(moment) : await log.positionAt(timeOf(moment));
  return asked < last ? asked : last;
}

function timeOf(moment: string): Date {
  if (!Time.safeParse(moment).success || moment.startsWith('0000'))
    throw new UsageError(`--as-of: ${moment} is neither a position nor an RFC 3339 time`);
  return new Date(moment);
}
