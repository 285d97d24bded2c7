import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { inParts } from '../values/in-parts.js';
import type { PlannedDelivery } from './planned.js';

/** A delivery to be queued. */
export type NewDelivery = Omit<PlannedDelivery, 'key'> & { readonly id: string };

/** The channel that notifies the senders of all processes of new deliveries. */
export const DELIVERIES_CHANNEL = 'deliveries';

/** A statement ends with the delivery that brings its payloads to this many characters; no string could hold all of many. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Queues deliveries in this order, except those that exist already, and notifies the senders. Uses one statement, or several
 * if payloads are large.
 */
export async function insertDeliveries(
  connection: Queryable,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  for (const part of inParts(deliveries, MAX_CHARACTERS, ({ payload }) => payload.length))
    await insertPart(connection, part);
}

async function insertPart(connection: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  const column = <K extends keyof NewDelivery>(name: K) =>
    deliveries.map((delivery) => delivery[name] ?? null);
  await connection.rows(sql`
    with planned as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('hookId')}::int8[], ${column('repositoryId')}::int8[],
        ${column('event')}::text[], ${column('eventType')}::text[], ${column('payload')}::text[]
      ) with ordinality p (id, hook_id, repository_id, event, event_type, payload, place)
    ), inserted as (
      insert into deliveries.deliveries (id, hook_id, repository_id, event, event_type, payload)
      select id, hook_id, repository_id, event, event_type, payload from planned order by place
      on conflict (id) do nothing
      returning hook_id
    ), opened as (
      insert into deliveries.lanes as l (hook_id, retry)
      select distinct hook_id, false from inserted order by hook_id
      on conflict (hook_id, retry) do update set wanted = l.wanted + 1
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') where exists (select from inserted)`);
}
