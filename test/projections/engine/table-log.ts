import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../src/database/queryable.js';
import { sql } from '../../../src/database/sql.js';
import type { DomainEvent } from '../../../src/domain/domain-event.js';
import type { EventSource, ProjectedBatch } from '../../../projections/engine/event-source.js';

interface LogRow {
  readonly position: number;
  readonly type: string;
  readonly data: DomainEvent['data'];
}

/** A log in a table, so that processes share it. */
export class TableLog implements EventSource {
  constructor(private readonly db: Queryable) {}

  async create(): Promise<void> {
    await this.db.rows(
      'create table test_log (position int8 generated always as identity, type text, data json)',
    );
  }

  /** Answers with the position of the last of them. */
  async append(...messages: readonly { type: string; data: unknown }[]): Promise<bigint> {
    let position = 0;
    for (const { type, data } of messages) {
      const rows = await this.db.rows<LogRow>(
        sql`insert into test_log (type, data) values (${type}, ${JSON.stringify(data)}) returning position`,
      );
      position = rows[0]?.position ?? 0;
    }
    return BigInt(position);
  }

  async end(): Promise<bigint> {
    const [row] = await this.db.rows<{ last: number }>(
      'select coalesce(max(position), -1) as last from test_log',
    );
    return BigInt(row?.last ?? -1);
  }

  async *subscribe(
    after: bigint,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ProjectedBatch> {
    let from = after;
    let told = false;
    while (!signal.aborted) {
      const rows = await this.db.rows<LogRow>(
        sql`select * from test_log where position > ${String(from)} order by position limit 500`,
      );
      from = BigInt(rows.at(-1)?.position ?? from);
      if (rows.length > 0 || !told) yield { events: rows.map(asEvent), caughtUp: rows.length < 500 };
      else await sleep(5);
      told = rows.length < 500;
    }
  }
}

const asEvent = ({ position, type, data }: LogRow): DomainEvent => ({
  type,
  data,
  id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
  stream: `thing-${position}`,
  streamId: String(position),
  revision: 0,
  position: BigInt(position),
  recordedAt: new Date(1_700_000_000_000 + position),
  metadata: { $correlationId: 'c', $causationId: 'c', at: '2026-01-01T00:00:00Z', schemaVersion: 1 },
});
