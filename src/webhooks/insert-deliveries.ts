import { createHash } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { inParts } from '../values/in-parts.js';
import type { PlannedDelivery } from './planned.js';

/** A delivery to be queued. */
export type NewDelivery = Omit<PlannedDelivery, 'key'> & { readonly id: string };

/** The channel that notifies the senders of all processes of new deliveries. */
export const DELIVERIES_CHANNEL = 'deliveries';

/** A statement ends with the payload that brings it to this many characters; no string could hold all of many. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Queues deliveries in this order, except those that exist already, and notifies the senders. A payload is stored once,
 * however many deliveries send it.
 */
export async function insertDeliveries(
  connection: Queryable,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const texts = new Set(deliveries.map(({ payload }) => payload));
  const digests = new Map(Array.from(texts, (text) => [text, digestOf(text)]));
  // In one order, so that nobody waits for another who waits for them.
  const inOrder = [...digests].toSorted(([, one], [, other]) => one.compare(other));
  for (const part of inParts(inOrder, MAX_CHARACTERS, ([text]) => text.length))
    await insertPayloads(connection, part);
  const column = <K extends keyof NewDelivery>(name: K) =>
    deliveries.map((delivery) => delivery[name] ?? null);
  const digestOfEach = deliveries.map(({ payload }) => digests.get(payload));
  await connection.rows(sql`
    with planned as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('hookId')}::int8[], ${column('repositoryId')}::int8[],
        ${column('event')}::text[], ${column('eventType')}::text[], ${digestOfEach}::bytea[]
      ) with ordinality p (id, hook_id, repository_id, event, event_type, payload_digest, place)
    ), inserted as (
      insert into deliveries.deliveries (id, hook_id, repository_id, event, event_type, payload_digest)
      select id, hook_id, repository_id, event, event_type, payload_digest from planned order by place
      on conflict (id) do nothing
      returning hook_id
    ), opened as (
      insert into deliveries.lanes as l (hook_id, retry)
      select distinct hook_id, false from inserted order by hook_id
      on conflict (hook_id, retry) do update set wanted = l.wanted + 1
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') where exists (select from inserted)`);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Stores payloads; one that exists counts as new, so that it is not removed before its delivery is queued. */
const insertPayloads = (connection: Queryable, payloads: readonly (readonly [string, Buffer])[]) =>
  connection.rows(sql`
    insert into deliveries.payloads (text, digest)
    select * from unnest(${payloads.map(([text]) => text)}::text[], ${payloads.map(([, digest]) => digest)}::bytea[])
    on conflict (digest) do update set queued_at = excluded.queued_at`);
