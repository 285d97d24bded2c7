import { stringifyJson, type Json } from '../src/json.js';
import type { Columns, Erasure, ProjectedEvent } from './projection.js';

/** What was and what is; undefined where there was or is nothing. */
export interface Change {
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
}

/** What every history tells of a change: where, what, when, who, by which request, and the values as JSON text. */
export function historyColumns(event: ProjectedEvent, { before, after }: Change): Columns {
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

/** What of a history is erased with whoever made the changes. */
export const erasedActors = (table: string): Erasure => ({
  table,
  set: 'actor_name = null',
  where: 'actor_id = $1',
});
