import type { Queryable } from '../database/database.js';
import { fragment, sql } from '../database/sql.js';
import { GHOST_ID } from '../domain/accounts/ghost.js';
import { ERASED } from '../domain/erased.js';
import { DELIVERIES_CHANNEL, insertDeliveries } from './insert-deliveries.js';
import type { PlannedDelivery } from './planned.js';
import type { HookResponse } from './post.js';
import type { HookRequest } from './request.js';

/**
 * `pending` waits for an attempt, the first or another; `delivered` was answered with 2xx. `failed` is not tried again
 * by itself; `skipped` neither, for its hook led nowhere any more.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

/** One delivery in a list. */
export interface DeliveryRow {
  readonly id: string;
  readonly hookId: number;
  readonly event: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  /** Those made since it was queued, or queued again. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null while it is pending. */
  readonly settledAt: Date | null;
  /** When the next attempt is due; null before the first, where it is due at once, and when there will be none. */
  readonly dueAt: Date | null;
  readonly attemptedAt: Date | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  /** Why there was no answer, or why nothing was sent. */
  readonly error: string | null;
}

/** A delivery with what its last attempt sent and got; `Authorization` is masked. */
export interface DeliveryDetails extends DeliveryRow {
  readonly payload: string;
  readonly request: Omit<HookRequest, 'body'> | null;
  readonly response: HookResponse | null;
}

/** Which deliveries of a hook are meant; what is absent narrows nothing. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  /** Queued at or after. */
  readonly since?: Date;
  /** Queued before. */
  readonly until?: Date;
}

/** Deliveries that are looked through in one statement: to read one takes up to a millisecond, a large one more. */
const PART = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const COLUMNS = fragment`
  id, hook_id as "hookId", event, event_type as "eventType", status, attempts, created_at as "createdAt",
  settled_at as "settledAt", case when status = 'pending' and retry then nullif(due_at, 'epoch') end as "dueAt",
  attempted_at as "attemptedAt", duration_ms as "durationMs", response_status as "responseStatus", error`;

const matching = (hookId: number, { status, since, until }: DeliveryFilter) => fragment`
  hook_id = ${hookId} and (${status ?? null}::text is null or status = ${status ?? null})
  and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})
  and (${until ?? null}::timestamptz is null or created_at < ${until ?? null})`;

/** The deliveries of hooks, for who looks after them. Those that were settled a week ago are gone. */
export class Deliveries {
  readonly #db: Queryable;

  constructor({ db }: { readonly db: Queryable }) {
    this.#db = db;
  }

  /** A page of a hook's deliveries, newest first, and how many there are. */
  async list(
    hookId: number,
    { offset, limit, ...filter }: DeliveryFilter & { readonly offset: number; readonly limit: number },
  ): Promise<{ total: number; deliveries: DeliveryRow[] }> {
    const [[counted], deliveries] = await Promise.all([
      this.#db.rows<{ total: number }>(sql`
        select count(*) as total from deliveries.deliveries where ${matching(hookId, filter)}`),
      this.#db.rows<DeliveryRow>(sql`
        select ${COLUMNS} from deliveries.deliveries where ${matching(hookId, filter)}
        order by sequence desc offset ${offset} limit ${limit}`),
    ]);
    return { total: counted?.total ?? 0, deliveries };
  }

  /** Undefined where the hook has no delivery of this id, a UUID. */
  async find(hookId: number, id: string): Promise<DeliveryDetails | undefined> {
    const [row] = await this.#db.rows<DeliveryDetails>(sql`
      select ${COLUMNS}, payload, request, response from deliveries.deliveries
      where id = ${id} and hook_id = ${hookId}`);
    return row;
  }

  /**
   * Has a delivery sent once more, under its id, with as many attempts as a new one; at once where it waits for its
   * next attempt. False where there is none.
   */
  async redeliver(hookId: number, id: string): Promise<boolean> {
    if ((await this.#requeue(hookId, fragment`id = ${id} and hook_id = ${hookId}`)) > 0) return true;
    return (await this.find(hookId, id)) !== undefined; // one that waits for its first attempt
  }

  /** As `redeliver`, for all that match and have been attempted or skipped; answers with how many those are. */
  async redeliverRange(hookId: number, filter: DeliveryFilter): Promise<number> {
    return this.#requeue(hookId, matching(hookId, filter));
  }

  /** Queues a delivery that follows from no event, under an id of the caller's. */
  async send(planned: PlannedDelivery, id: string): Promise<void> {
    await insertDeliveries(this.#db, [{ ...planned, id }]);
  }

  /**
   * Removes what shows an account, sent or not; where that cannot be told, too, as of texts of whoever is deleted. Part by
   * part: all of them together take longer than a connection may be silent, and then the same again for ever.
   */
  async forgetAccount(accountId: number): Promise<void> {
    for (let after: string | null = BEFORE_ALL; after !== null;)
      after = await this.#forgetPart(accountId, after);
  }

  /** Gives the last that it looked at; null where there was none. */
  async #forgetPart(accountId: number, after: string): Promise<string | null> {
    const [row] = await this.#db.rows<{ last: string | null }>(sql`
      with part as (
        select id, payload from deliveries.deliveries where id > ${after}::uuid order by id limit ${PART}
      ), removed as (
        delete from deliveries.deliveries d using part p
        where d.id = p.id and case when pg_input_is_valid(p.payload, 'jsonb')
          then jsonb_path_exists(p.payload::jsonb,
            '$.** ? (@.id == $id && exists (@.login) || @.user.id == $ghost && @.body != $erased)',
            jsonb_build_object('id', ${accountId}::int8, 'ghost', ${GHOST_ID}::int8, 'erased', ${ERASED}::text), true)
          else true end
      )
      select (select id from part order by id desc limit 1) as last`);
    return row?.last ?? null;
  }

  /** The repositories that a hook waits to be told of by deliveries that are not frozen; null for those of none. */
  async listAwaited(hookId: number): Promise<readonly (number | null)[]> {
    const rows = await this.#db.rows<{ repositoryId: number | null }>(sql`
      select distinct repository_id as "repositoryId" from deliveries.deliveries
      where hook_id = ${hookId} and status = 'pending' and frozen is null`);
    return rows.map(({ repositoryId }) => repositoryId);
  }

  /** Has what waits for a hook, and is about this repository, sent where `seal` says, whatever becomes of the hook. */
  async freeze(hookId: number, repositoryId: number | null, seal: (id: string) => Buffer): Promise<void> {
    for (;;) {
      const rows = await this.#db.rows<{ id: string }>(sql`
        select id from deliveries.deliveries
        where hook_id = ${hookId} and status = 'pending' and frozen is null
          and repository_id is not distinct from ${repositoryId}::int8
        limit ${PART}`);
      if (rows.length === 0) return;
      const ids = rows.map(({ id }) => id);
      await this.#db.rows(sql`
        update deliveries.deliveries d set frozen = s.frozen
        from unnest(${ids}::uuid[], ${ids.map(seal)}::bytea[]) s (id, frozen)
        where d.id = s.id and d.status = 'pending'`);
    }
  }

  /** Drops the history of a hook that is gone, and what was to be sent to it unless its target is frozen. */
  async forget(hookId: number): Promise<void> {
    await this.#db.rows(sql`
      delete from deliveries.deliveries where hook_id = ${hookId} and (frozen is null or status <> 'pending')`);
  }

  /** How many there are that wait, and that failed for good. */
  async counts(): Promise<{ readonly pending: number; readonly failed: number }> {
    const [row] = await this.#db.rows<{ pending: number; failed: number }>(sql`
      select (select count(*) from deliveries.deliveries where status = 'pending') as pending,
        (select count(*) from deliveries.deliveries where status = 'failed') as failed`);
    return row ?? { pending: 0, failed: 0 };
  }

  async #requeue(hookId: number, which: ReturnType<typeof fragment>): Promise<number> {
    const [row] = await this.#db.rows<{ queued: number }>(sql`
      with held as (
        -- Before its deliveries, as who sends them does.
        select from deliveries.lanes where hook_id = ${hookId} order by retry for update
      ), queued as (
        -- At once, by every clock.
        update deliveries.deliveries set status = 'pending', settled_at = null, retry = true, attempts = 0,
          due_at = 'epoch'
        where (select count(*) from held) >= 0 and (status <> 'pending' or retry) and ${which} returning 1
      ), opened as (
        insert into deliveries.lanes as l (hook_id, retry, due_at)
        select ${hookId}::int8, true, 'epoch' where exists (select from queued)
        on conflict (hook_id, retry) do update set due_at = excluded.due_at, wanted = l.wanted + 1
      )
      select count(*) as queued, pg_notify(${DELIVERIES_CHANNEL}, '') from queued`);
    return row?.queued ?? 0;
  }
}
