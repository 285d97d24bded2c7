import { createHash } from 'node:crypto';
import { v4 } from 'uuid';
import type { PlannedDelivery } from './planned.js';

/**
 * The id of a delivery to a hook: the same whenever the event, or the command, that it follows from is met again. In the
 * form of a random UUID, which is what receivers know.
 */
export const deliveryId = (
  causeId: string,
  { hookId, key }: Pick<PlannedDelivery, 'hookId' | 'key'>,
): string =>
  v4({ random: createHash('sha256').update(`${causeId}/${hookId}/${key}`).digest().subarray(0, 16) });
