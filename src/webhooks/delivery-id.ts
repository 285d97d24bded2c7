import { createHash } from 'node:crypto';
import { v4 } from 'uuid';
import type { PlannedDelivery } from './planned.js';

/**
 * The id of a delivery of an event to a hook: the same whenever the event is planned again. In the form of a random UUID,
 * which is what receivers know.
 */
export const deliveryId = (
  eventId: string,
  { hookId, key }: Pick<PlannedDelivery, 'hookId' | 'key'>,
): string =>
  v4({ random: createHash('sha256').update(`${eventId}/${hookId}/${key}`).digest().subarray(0, 16) });
