import { v5 } from 'uuid';
import type { PlannedDelivery } from './planned.js';

const NAMESPACE = '0d4f7a52-3f7c-4c0b-9a4e-7c1d6f0b8e93';

/** The id of a delivery of an event to a hook: the same whenever the event is planned again. */
export const deliveryId = (
  eventId: string,
  { hookId, key }: Pick<PlannedDelivery, 'hookId' | 'key'>,
): string => v5(`${eventId}/${hookId}/${key}`, NAMESPACE);
