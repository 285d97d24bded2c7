import { createHash } from 'node:crypto';
import { v4 } from 'uuid';
import type { PlannedDelivery } from './planned.js';

/**
 * Returns the id of a delivery to a hook. It is derived from the event or command that caused it, so that planning it again
 * gives the same id. It has the form of a random UUID, because receivers expect that.
 */
export const deliveryId = (
  causeId: string,
  { hookId, key }: Pick<PlannedDelivery, 'hookId' | 'key'>,
): string =>
  v4({ random: createHash('sha256').update(`${causeId}/${hookId}/${key}`).digest().subarray(0, 16) });
