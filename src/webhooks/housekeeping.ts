import type { Queryable } from '../database/database.js';
import { fragment } from '../database/sql.js';
import { removeOutdated } from '../housekeeping.js';

/** Removes deliveries a week after they were settled; answers with how many, a few thousand at most. */
export const removeOldDeliveries = (db: Queryable): Promise<number> =>
  removeOutdated(db, {
    table: fragment`deliveries.deliveries`,
    key: fragment`id`,
    when: fragment`settled_at < now() - interval '7 days'`,
  });
