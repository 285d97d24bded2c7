import { stringifyJson, type Json } from '../src/values/json.js';
import type { DomainEvent } from '../src/domain/domain-event.js';
import type { Columns, Erasure } from './projection.js';

/** The values before and after a change; undefined if there was or is no value. */
export interface Change {
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
}

/** Returns the columns that every history table has: position, event, time, actor, request, and the values as JSON text. */
export function historyColumns(event: DomainEvent, { before, after }: Change): Columns {
  const { actor, requestId } = event.metadata;
  return {
    position: event.position,
    event_id: event.id,
    type: event.type,
    recorded_at: event.recordedAt,
    actor_id: actor?.id ?? null,
    actor_name: actor?.name ?? null,
    request_id: requestId ?? null,
    before: before === undefined ? null : stringifyJson(before),
    after: after === undefined ? null : stringifyJson(after),
  };
}

/** Declares the erasure of the actor's name in a history, for when the person who made the changes is erased. */
export const erasedActors = (table: string): Erasure => ({
  table,
  set: 'actor_name = null',
  where: 'actor_id = $1',
});
