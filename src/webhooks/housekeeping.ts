import type { Queryable } from '../database/queryable.js';
import { fragment, sql } from '../database/sql.js';
import { removeOutdated } from '../database/housekeeping.js';
import { regularly } from '../concurrency/regularly.js';
import type { Logger } from '../logging/logger.js';
import { warning } from '../logging/warning.js';
import { LONGEST_PAUSE_MS } from './back-off.js';

/** Removes deliveries that were settled a week ago; returns how many, a few thousand per call at most. */
export const removeOldDeliveries = (db: Queryable): Promise<number> =>
  removeOutdated(db, {
    table: fragment`deliveries.deliveries`,
    key: fragment`id`,
    when: fragment`settled_at < now() - interval '7 days'`,
  });

/** Removes payloads that no delivery sends any more, a week after one was last queued; returns how many. */
export const removeOldPayloads = (db: Queryable): Promise<number> =>
  removeOutdated(db, {
    table: fragment`deliveries.payloads`,
    key: fragment`digest`,
    when: fragment`queued_at < now() - interval '7 days'
      and not exists (select from deliveries.deliveries d where d.payload_digest = digest)`,
  });

/** The tolerance for clocks that differ and for the random extension of pauses. */
const SPARE_MS = 3_600_000;
const HASTENED_AT_ONCE = 1_000;
const EVERY_MS = 60_000;

/** Runs `hastenRepeats` now, and again every minute, until aborted. Never rejects. */
export const keepHastening = (
  db: Queryable,
  now: () => Date,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> =>
  regularly(
    () => hastenRepeats(db, now()),
    EVERY_MS,
    warning(logger, 'repeats that are due too late were not hastened'),
    signal,
  );

/**
 * Makes retries due at once if they are due later after `now` than the longest pause allows, which means that a clock was
 * ahead when they were scheduled. At most a thousand per call.
 */
export async function hastenRepeats(db: Queryable, now: Date): Promise<void> {
  const tooLate = new Date(now.getTime() + LONGEST_PAUSE_MS + SPARE_MS);
  await db.rows(sql`
    with late as (
      select d.id, d.hook_id from deliveries.lanes l join deliveries.deliveries d on d.hook_id = l.hook_id
      where l.retry and d.retry and d.status = 'pending' and d.due_at > ${tooLate}
      limit ${HASTENED_AT_ONCE}
    ), opened as (
      -- Before its deliveries, as who sends them does.
      update deliveries.lanes set due_at = 'epoch', wanted = wanted + 1
      where retry and hook_id in (select hook_id from late) returning 1
    )
    update deliveries.deliveries set due_at = 'epoch'
    where (select count(*) from opened) > 0 and id in (select id from late)
      and status = 'pending' and retry and due_at > ${tooLate}`);
}
