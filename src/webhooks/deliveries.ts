import type { Queryable } from '../database/queryable.js';
import { fragment, sql, type Fragment } from '../database/sql.js';
import { GHOST_ID } from '../domain/accounts/ghost.js';
import { ERASED } from '../domain/erased.js';
import { paged, type Paged, type PageRequest } from '../queries/page.js';
import { inParts } from '../values/in-parts.js';
import { DELIVERIES_CHANNEL, insertDeliveries } from './insert-deliveries.js';
import type { PlannedDelivery } from './planned.js';
import type { HookResponse } from './post.js';
import type { HookRequest } from './request.js';

/**
 * `pending`: waits for its first or next attempt; `delivered`: answered with 2xx; `failed`: given up; `skipped`: nothing was
 * sent, because its hook had no target any more. The last two are attempted again only if redelivered.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

/** One delivery in a list. */
export interface DeliveryRow {
  readonly id: string;
  readonly hookId: number;
  readonly event: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  /** The number of attempts since it was last queued. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null while it is pending. */
  readonly settledAt: Date | null;
  /** When the next attempt is due; null before the first, if it is due at once, and if there will be none. */
  readonly dueAt: Date | null;
  readonly attemptedAt: Date | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  /** Why there was no answer, or why nothing was sent. */
  readonly error: string | null;
}

/** A delivery with the request and the response of its last attempt; `Authorization` is masked. */
export interface DeliveryDetails extends DeliveryRow {
  readonly payload: string;
  readonly request: Omit<HookRequest, 'body'> | null;
  readonly response: HookResponse | null;
}

/** A filter for deliveries of a hook; absent fields do not restrict it. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  /** Queued at or after. */
  readonly since?: Date;
  /** Queued before. */
  readonly until?: Date;
}

/**
 * How many deliveries one statement processes. One takes up to a millisecond, or longer if it is large, and a hook may have
 * millions: a single statement for all would exceed the connection's time limit, at every retry again.
 */
const PART = 200;

const COLUMNS = fragment`
  id, hook_id as "hookId", event, event_type as "eventType", status, attempts, created_at as "createdAt",
  settled_at as "settledAt", case when status = 'pending' and retry then nullif(due_at, 'epoch') end as "dueAt",
  attempted_at as "attemptedAt", duration_ms as "durationMs", response_status as "responseStatus", error`;

const matching = (hookId: number, { status, since, until }: DeliveryFilter) => fragment`
  hook_id = ${hookId} and (${status ?? null}::text is null or status = ${status ?? null})
  and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})
  and (${until ?? null}::timestamptz is null or created_at < ${until ?? null})`;

/** The deliveries of hooks, to list and to manage. Deliveries are removed a week after they were settled. */
export class Deliveries {
  constructor(private readonly db: Queryable) {}

  /** Lists a hook's deliveries, newest first. */
  list(hookId: number, filter: DeliveryFilter, part: PageRequest): Promise<Paged<DeliveryRow>> {
    return paged(this.db, part, {
      columns: COLUMNS,
      from: fragment`from deliveries.deliveries where ${matching(hookId, filter)}`,
      orderBy: fragment`sequence desc`,
    });
  }

  /** Finds a delivery by its id, a UUID; undefined if the hook has no such delivery. */
  async find(hookId: number, id: string): Promise<DeliveryDetails | undefined> {
    const [row] = await this.db.rows<DeliveryDetails>(sql`
      select ${COLUMNS}, p.text as payload, request, response
      from deliveries.deliveries d join deliveries.payloads p on p.digest = d.payload_digest
      where id = ${id} and hook_id = ${hookId}`);
    return row;
  }

  /**
   * Queues a delivery again, under the same id and with as many attempts as a new one; one that waits for its next attempt
   * becomes due at once. Returns false if there is no such delivery.
   */
  async redeliver(hookId: number, id: string): Promise<boolean> {
    if ((await this.#requeue(hookId, fragment`id = ${id} and hook_id = ${hookId}`)) > 0) return true;
    return (await this.find(hookId, id)) !== undefined; // one that waits for its first attempt
  }

  /** Queues all deliveries that match and have been attempted or skipped, as `redeliver` does; returns how many. */
  async redeliverRange(hookId: number, filter: DeliveryFilter): Promise<number> {
    let queued = 0;
    for await (const part of this.#parts(hookId))
      queued += await this.#requeue(hookId, fragment`${part} and ${matching(hookId, filter)}`);
    return queued;
  }

  /** Queues a delivery that no event caused, under an id chosen by the caller. */
  async send(planned: PlannedDelivery, id: string): Promise<void> {
    await insertDeliveries(this.db, [{ ...planned, id }]);
  }

  /**
   * Removes the deliveries that show an account, sent or not. Also removes those that may show it, such as texts of deleted
   * accounts, because the payload does not tell whose they are.
   */
  async forgetAccount(accountId: number): Promise<void> {
    for (let after: Buffer | null = Buffer.of(); after !== null;)
      after = await this.#forgetPart(accountId, after);
  }

  /** Does this for one part of the payloads; returns the last digest that it looked at, or null if none was left. */
  async #forgetPart(accountId: number, after: Buffer): Promise<Buffer | null> {
    const [row] = await this.db.rows<{ last: Buffer | null }>(sql`
      with part as (
        select digest, text from deliveries.payloads where digest > ${after} order by digest limit ${PART}
      ), removed as (
        -- With the deliveries that send it.
        delete from deliveries.payloads d using part p
        where d.digest = p.digest and case when pg_input_is_valid(p.text, 'jsonb')
          then jsonb_path_exists(p.text::jsonb,
            '$.** ? (@.id == $id && exists (@.login) || @.user.id == $ghost && @.body != $erased)',
            jsonb_build_object('id', ${accountId}::int8, 'ghost', ${GHOST_ID}::int8, 'erased', ${ERASED}::text), true)
          else true end
      )
      select (select digest from part order by digest desc limit 1) as last`);
    return row?.last ?? null;
  }

  /** Lists the repositories of a hook's pending deliveries without frozen target; null for those about no repository. */
  async listAwaited(hookId: number): Promise<readonly (number | null)[]> {
    const rows = await this.db.rows<{ repositoryId: number | null }>(sql`
      select distinct repository_id as "repositoryId" from deliveries.deliveries
      where hook_id = ${hookId} and status = 'pending' and frozen is null`);
    return rows.map(({ repositoryId }) => repositoryId);
  }

  /** Stores the target that `seal` encrypts in a hook's pending deliveries about a repository, so they outlive the hook. */
  async freeze(hookId: number, repositoryId: number | null, seal: (id: string) => Buffer): Promise<void> {
    const rows = await this.db.rows<{ id: string }>(sql`
      select id from deliveries.deliveries
      where hook_id = ${hookId} and status = 'pending' and frozen is null
        and repository_id is not distinct from ${repositoryId}::int8`);
    const waiting = rows.map(({ id }) => id);
    for (const ids of inParts(waiting, PART)) {
      await this.db.rows(sql`
        update deliveries.deliveries d set frozen = s.frozen
        from unnest(${ids}::uuid[], ${ids.map(seal)}::bytea[]) s (id, frozen)
        where d.id = s.id and d.status = 'pending'`);
    }
  }

  /** Removes the deliveries of a deleted hook, except pending ones whose target is frozen. */
  async forget(hookId: number): Promise<void> {
    for await (const part of this.#parts(hookId))
      await this.db.rows(sql`
        delete from deliveries.deliveries where ${part} and (frozen is null or status <> 'pending')`);
  }

  /** Yields SQL conditions that select a hook's deliveries part by part, without those that are added meanwhile. */
  async *#parts(hookId: number): AsyncGenerator<Fragment> {
    const ofHook = fragment`from deliveries.deliveries where hook_id = ${hookId}`;
    const end = await this.#last(fragment`select sequence ${ofHook}`);
    for (let after = 0; after < end;) {
      const last = await this.#last(fragment`
        select sequence ${ofHook} and sequence > ${after} and sequence <= ${end} order by sequence limit ${PART}`);
      if (last === 0) return;
      yield fragment`hook_id = ${hookId} and sequence > ${after} and sequence <= ${last}`;
      after = last;
    }
  }

  /** Returns the highest of these sequence numbers; 0 if there are none. */
  async #last(sequences: Fragment): Promise<number> {
    const [row] = await this.db.rows<{ last: number }>(sql`
      select coalesce(max(sequence), 0) as last from (${sequences}) part`);
    return row?.last ?? 0;
  }

  /** Counts the pending and the failed deliveries of all hooks. */
  async counts(): Promise<{ readonly pending: number; readonly failed: number }> {
    const [row] = await this.db.rows<{ pending: number; failed: number }>(sql`
      select (select count(*) from deliveries.deliveries where status = 'pending') as pending,
        (select count(*) from deliveries.deliveries where status = 'failed') as failed`);
    return row ?? { pending: 0, failed: 0 };
  }

  async #requeue(hookId: number, which: Fragment): Promise<number> {
    const [row] = await this.db.rows<{ queued: number }>(sql`
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
