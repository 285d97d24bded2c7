import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { HookResponse } from './post.js';
import type { HookRequest } from './request.js';

/** The right to make the first attempts of a hook, or to repeat its attempts, while the lease lasts. */
export interface Lane {
  readonly hookId: number;
  readonly retry: boolean;
  readonly holder: string;
  /** How often deliveries had been added to it when it was claimed or renewed; `close` finds out whether more came since. */
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
  /** How many attempts there were. */
  readonly attempts: number;
}

/** What is written down of an attempt, or of the decision to make none. */
export interface Settled {
  readonly status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** When to try again; only for what stays pending. */
  readonly dueAt?: Date;
  readonly attempt?: {
    readonly at: Date;
    readonly durationMs: number;
    readonly request: Omit<HookRequest, 'body'>;
    readonly response?: HookResponse;
  };
  readonly error?: string;
}

/** Longer than an attempt takes: each renews the lease. */
const LEASE_SECONDS = 15;
const BATCH = 16;
/** A batch ends with the delivery that goes beyond so many bytes. */
const BATCH_BYTES = 262_144;

/**
 * The lanes of all hooks, shared by all senders: a hook has one for first attempts and one for repeats, so that no
 * hook waits for another and no first attempt for a repeat. The clock of the database measures leases.
 */
export class Lanes {
  /** The session of `db` is the sign of life of whoever claims. */
  constructor(private readonly db: Queryable) {}

  /** Takes lanes that are due at `now` and that nobody holds, those first that waited longest; `most` at most. */
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

  /** The lane with its lease prolonged; undefined where another holds it. */
  async renew(lane: Lane): Promise<Lane | undefined> {
    const { hookId, retry, holder } = lane;
    const [row] = await this.db.rows<{ wanted: string }>(sql`
      update deliveries.lanes set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where hook_id = ${hookId} and retry = ${retry} and holder = ${holder} returning wanted::text`);
    return row && { ...lane, wanted: BigInt(row.wanted) };
  }

  /** The next deliveries of the lane that are due at `now`, in their order: some, and not too much to hold in memory. */
  async due({ hookId, retry }: Lane, now: Date): Promise<DueDelivery[]> {
    const rows = await this.db.rows<DueRow>(sql`
      select id, hook_id as "hookId", repository_id as "repositoryId", event, event_type as "eventType", payload,
        frozen, attempts
      from (
        select *, sum(octet_length(payload)) over (order by due_at, sequence) - octet_length(payload) as before
        from (
          select * from deliveries.deliveries
          where status = 'pending' and hook_id = ${hookId} and retry = ${retry} and due_at <= ${now}
          order by due_at, sequence limit ${BATCH}
        ) next
      ) next
      where before < ${BATCH_BYTES} order by due_at, sequence`);
    return rows.map(({ repositoryId, frozen, ...row }) => ({
      ...row,
      repositoryId: repositoryId ?? undefined,
      frozen: frozen ?? undefined,
    }));
  }

  /**
   * Writes down what came of a delivery and prolongs the lease. False where another holds the lane: then nothing was
   * written, and the other sends the delivery again. What was to be skipped and is frozen by now stays due: its hook went
   * while it was looked up.
   */
  async settle({ hookId, retry, holder }: Lane, id: string, settled: Settled): Promise<boolean> {
    const { status, dueAt, attempt, error } = settled;
    const rows = await this.db.rows(sql`
      with lane as (
        update deliveries.lanes set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where hook_id = ${hookId} and retry = ${retry} and holder = ${holder}
        returning hook_id
      ), settled as (
        update deliveries.deliveries set
          status = ${status}, retry = true, attempts = attempts + ${attempt ? 1 : 0},
          due_at = coalesce(${dueAt ?? null}::timestamptz, due_at),
          settled_at = case when ${status}::text = 'pending' then null else now() end,
          frozen = case when ${status}::text = 'pending' then frozen end, -- no secret is kept for longer than it is of use
          attempted_at = ${attempt?.at ?? null}, duration_ms = ${attempt?.durationMs ?? null},
          request = ${jsonOf(attempt?.request)}, response = ${jsonOf(attempt?.response)},
          response_status = ${attempt?.response?.status ?? null}, error = ${error ?? null}
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

  /** Leaves a lane whose work is done until there is more. False where somebody has added some meanwhile. */
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

  /** Has somebody else go on with the lane, after those that waited longer. */
  async giveBack({ hookId, retry, holder }: Lane): Promise<void> {
    await this.db.rows(sql`
      update deliveries.lanes set holder = null, leased_until = now()
      where hook_id = ${hookId} and retry = ${retry} and holder = ${holder}`);
  }

  /** Gives first attempts up that have waited since before `since`; answers with how many those were. */
  async giveUp({ hookId }: Lane, since: Date, error: string): Promise<number> {
    const rows = await this.db.rows(sql`
      update deliveries.deliveries set status = 'failed', settled_at = now(), frozen = null, error = ${error}
      where status = 'pending' and hook_id = ${hookId} and not retry and created_at < ${since}
      returning 1`);
    return rows.length;
  }
}

type DueRow = Omit<DueDelivery, 'repositoryId' | 'frozen'> & {
  readonly repositoryId: number | null;
  readonly frozen: Buffer | null;
};

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
