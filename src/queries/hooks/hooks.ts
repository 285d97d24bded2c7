import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { HookFacts, HookPlace, HookType } from '../../domain/hooks/hook-messages.js';
import { count } from '../count.js';
import { paged, type Paged, type PageRequest } from '../page.js';

/**
 * A hook in the read model. `owner_id` is 0 for hooks of the whole server. `secret_id` and `authorization_id` are the
 * ids of secrets in the vault, or null.
 */
export interface HookRow {
  readonly id: number;
  readonly scope: HookPlace['scope'];
  readonly owner_id: number;
  readonly type: HookType;
  readonly url: string;
  readonly content_type: HookFacts['contentType'];
  readonly events: readonly HookEventName[];
  readonly branch_filter: string;
  readonly is_active: boolean;
  readonly secret_id: string | null;
  readonly authorization_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const hooksOf = ({ scope, ownerId }: HookPlace) =>
  fragment`from hooks where scope = ${scope} and owner_id = ${ownerId}`;

/** Lists the hooks of a place, active or not, by id. */
export const listHooks = (db: Queryable, place: HookPlace, part: PageRequest): Promise<Paged<HookRow>> =>
  paged(db, part, { columns: fragment`*`, from: hooksOf(place), orderBy: fragment`id` });

/** Counts the hooks of a place, active or not. */
export const countHooks = (db: Queryable, place: HookPlace): Promise<number> => count(db, hooksOf(place));

/** Finds a hook by id, in this place only. */
export async function findHook(
  db: Queryable,
  { scope, ownerId }: HookPlace,
  id: number,
): Promise<HookRow | undefined> {
  const [row] = await db.rows<HookRow>(sql`
    select * from hooks where id = ${id} and scope = ${scope} and owner_id = ${ownerId}`);
  return row;
}

/** Finds a hook by id, in any place. */
export async function findHookById(db: Queryable, id: number): Promise<HookRow | undefined> {
  const [row] = await db.rows<HookRow>(sql`select * from hooks where id = ${id}`);
  return row;
}

/** Lists the active hooks of these places that were created before a position, in the order of the places, then by id. */
export const listHooksOf = (
  db: Queryable,
  places: readonly HookPlace[],
  before: bigint,
): Promise<HookRow[]> =>
  db.rows<HookRow>(sql`
    select h.* from unnest(${places.map(({ scope }) => scope)}::text[],
      ${places.map(({ ownerId }) => ownerId)}::int8[]) with ordinality as p (scope, owner_id, place)
    join hooks h on h.scope = p.scope and h.owner_id = p.owner_id
    where h.is_active and h.created_position < ${before} order by p.place, h.id`);

/** Lists the ids of all hooks of a place. */
export async function listHookIds(db: Queryable, { scope, ownerId }: HookPlace): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from hooks where scope = ${scope} and owner_id = ${ownerId} order by id`);
  return rows.map(({ id }) => id);
}
