import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { fragment, sql } from '../database/sql.js';
import type { DeliveryStatus } from './deliveries.js';
import type { HookResponse } from './post.js';
import type { HookRequest } from './request.js';

/** A lease on the first attempts of a hook's deliveries, or on their retries. */
export interface Lane {
  readonly hookId: number;
  readonly retry: boolean;
  readonly holder: string;
  /** The lane's counter of additions at the last claim or renewal, by which `close` notices that more were added since. */
  readonly wanted: bigint;
}

/** A delivery to be attempted. */
export interface DueDelivery {
  readonly id: string;
  readonly hookId: number;
  readonly repositoryId: number | undefined;
  readonly event: string;
  readonly eventType: string;
  readonly payload: string;
  readonly frozen: Buffer | undefined;
  /** The number of attempts so far. */
  readonly attempts: number;
}

/** The recorded outcome of an attempt, or of the decision to make none. */
export interface Settled {
  readonly status: DeliveryStatus;
  /** When to try again; only with the status `pending`. */
  readonly dueAt?: Date;
  readonly attempt?: {
    readonly at: Date;
    readonly durationMs: number;
    readonly request: Omit<HookRequest, 'body'>;
    readonly response?: HookResponse;
  };
  readonly error?: string;
}

/** The duration of a lease: longer than an attempt may take, because each attempt renews it. */
const LEASE_SECONDS = 15;
const BATCH = 16;
/** A batch ends with the delivery that brings its payloads to this many bytes. */
const BATCH_BYTES = 262_144;
const GIVEN_UP_AT_ONCE = 1_000;

/**
 * The lanes of all hooks, shared by the senders of all processes. Each hook has one lane for first attempts and one for
 * retries, so that no hook waits for another and no first attempt for a retry. Leases run on the database's clock.
 */
export class Lanes {
  /** `db` must be the claiming process's own: leases end early when the session that claimed them is closed. */
  constructor(private readonly db: Queryable) {}

  /** Claims at most `most` lanes that are due at `now` and that nobody holds; those that waited longest come first. */
  async claim(retry: boolean, now: Date, most: number): Promise<Lane[]> {
    const holder = randomUUID();
    const rows = await this.db.rows<{ hookId: number; wanted: string }>(sql`
      update deliveries.lanes l
      set holder = ${holder}, backend_pid = me.pid, backend_start = me.backend_start,
        leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      from (
        select c.hook_id from deliveries.lanes c
        where c.retry = ${retry} and c.due_at <= ${now} and (
          c.holder is null or c.leased_until < now() or not exists (
            select from pg_stat_activity a where a.pid = c.backend_pid and a.backend_start = c.backend_start))
        order by c.leased_until limit ${most} for update skip locked
      ) free, pg_stat_activity me
      where me.pid = pg_backend_pid() and l.hook_id = free.hook_id and l.retry = ${retry}
      returning l.hook_id as "hookId", l.wanted::text`);
    return rows.map(({ hookId, wanted }) => ({ hookId, retry, holder, wanted: BigInt(wanted) }));
  }

  /** Renews the lease and returns the lane with its current counter; undefined if the lane is no longer held. */
  async renew(lane: Lane): Promise<Lane | undefined> {
    const { hookId, retry, holder } = lane;
    const [row] = await this.db.rows<{ wanted: string }>(sql`
      update deliveries.lanes set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where hook_id = ${hookId} and retry = ${retry} and holder = ${holder} returning wanted::text`);
    return row && { ...lane, wanted: BigInt(row.wanted) };
  }

  /** Returns the next batch of the lane's deliveries that are due at `now`, in order. Its size is bounded. */
  async due({ hookId, retry }: Lane, now: Date): Promise<DueDelivery[]> {
    const rows = await this.db.rows<DueRow>(sql`
      select id, hook_id as "hookId", repository_id as "repositoryId", event, event_type as "eventType", payload,
        frozen, attempts
      from (
        select next.*, p.text as payload,
          sum(octet_length(p.text)) over (order by due_at, sequence) - octet_length(p.text) as before
        from (
          select * from deliveries.deliveries
          where status = 'pending' and hook_id = ${hookId} and retry = ${retry} and due_at <= ${now}
          order by due_at, sequence limit ${BATCH}
        ) next join deliveries.payloads p on p.digest = next.payload_digest
      ) next
      where before < ${BATCH_BYTES} order by due_at, sequence`);
    return rows.map(({ repositoryId, frozen, ...row }) => ({
      ...row,
      repositoryId: repositoryId ?? undefined,
      frozen: frozen ?? undefined,
    }));
  }

  /**
   * Records the outcome of a delivery and renews the lease. Returns false if another process holds the lane: then nothing
   * was written, and that process sends the delivery again. A delivery to be skipped stays due if its target has been frozen
   * meanwhile, because its hook was deleted while the target was looked up.
   */
  async settle({ hookId, retry, holder }: Lane, id: string, settled: Settled): Promise<boolean> {
    const { status, dueAt, attempt, error } = settled;
    const told = attempt
      ? fragment`attempts = attempts + 1, attempted_at = ${attempt.at}, duration_ms = ${attempt.durationMs},
          request = ${jsonOf(attempt.request)}, response = ${jsonOf(attempt.response)},
          response_status = ${attempt.response?.status ?? null},`
      : fragment``; // what the last attempt sent and got stays
    const rows = await this.db.rows(sql`
      with lane as (
        update deliveries.lanes set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where hook_id = ${hookId} and retry = ${retry} and holder = ${holder}
        returning hook_id
      ), settled as (
        update deliveries.deliveries set
          status = ${status}, retry = true, ${told}
          due_at = coalesce(${dueAt ?? null}::timestamptz, due_at),
          settled_at = case when ${status}::text = 'pending' then null else now() end,
          frozen = case when ${status}::text = 'pending' then frozen end, -- no secret is kept for longer than it is of use
          error = ${error ?? null}
        where id = ${id} and status = 'pending' and exists (select from lane)
          and (${status}::text <> 'skipped' or frozen is null)
      ), repeated as (
        insert into deliveries.lanes as l (hook_id, retry, due_at)
        select hook_id, true, ${dueAt ?? null}::timestamptz from lane
        where ${dueAt ?? null}::timestamptz is not null and not ${retry}::boolean
        on conflict (hook_id, retry) do update
          set due_at = least(l.due_at, excluded.due_at), wanted = l.wanted + 1
      )
      -- What a crash of the server takes back is sent again.
      select set_config('synchronous_commit', 'off', true) from lane`);
    return rows.length > 0;
  }

  /** Releases a lane with nothing due, until its next delivery is. Returns false if deliveries were added meanwhile. */
  async close({ hookId, retry, holder, wanted }: Lane): Promise<boolean> {
    const rows = await this.db.rows(sql`
      with next as (
        select min(due_at) as due_at from deliveries.deliveries
        where status = 'pending' and hook_id = ${hookId} and retry = ${retry}
      ), left_for_later as (
        update deliveries.lanes l set due_at = next.due_at, holder = null, leased_until = 'epoch'
        from next
        where next.due_at is not null and l.hook_id = ${hookId} and l.retry = ${retry}
          and l.holder = ${holder} and l.wanted = ${String(wanted)}::int8
        returning 1
      ), removed as (
        delete from deliveries.lanes l using next
        where next.due_at is null and l.hook_id = ${hookId} and l.retry = ${retry}
          and l.holder = ${holder} and l.wanted = ${String(wanted)}::int8
        returning 1
      )
      select from left_for_later union all select from removed`);
    return rows.length > 0;
  }

  /** Releases a lane that has more to do. It is claimed again after lanes that have waited longer. */
  async giveBack({ hookId, retry, holder }: Lane): Promise<void> {
    await this.db.rows(sql`
      update deliveries.lanes set holder = null, leased_until = now()
      where hook_id = ${hookId} and retry = ${retry} and holder = ${holder}`);
  }

  /**
   * Fails the deliveries of a lane that were queued before `since` or, if they are repeats, should have been made before
   * then; returns how many. What somebody asked to send again is none of these, before its next attempt. The next ones in
   * order have waited longest, so it goes on only while a whole batch was that old.
   */
  async giveUp(lane: Lane, since: Date, error: string): Promise<number> {
    for (let givenUp = 0; ;) {
      const rows = await this.db.rows(sql`
        with next as (
          select id from deliveries.deliveries
          where status = 'pending' and hook_id = ${lane.hookId} and retry = ${lane.retry}
            and (not retry or due_at > 'epoch')
          order by due_at, sequence limit ${GIVEN_UP_AT_ONCE}
        )
        update deliveries.deliveries d set status = 'failed', settled_at = now(), frozen = null, error = ${error}
        from next where d.id = next.id and d.status = 'pending' and d.retry = ${lane.retry}
          and case when d.retry then d.due_at else d.created_at end < ${since}
        returning 1`);
      givenUp += rows.length;
      if (rows.length < GIVEN_UP_AT_ONCE || !(await this.renew(lane))) return givenUp;
    }
  }
}

type DueRow = Omit<DueDelivery, 'repositoryId' | 'frozen'> & {
  readonly repositoryId: number | null;
  readonly frozen: Buffer | null;
};

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
