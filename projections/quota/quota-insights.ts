import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { QuotaRefusalsEvent } from '../../src/domain/quota/quota-refusals.js';
import type { StorageLedgerEvent } from '../../src/domain/quota/storage-ledger.js';
import type { UsageSubject } from '../../src/domain/quota/subjects.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { projection, type Columns, type Table } from '../projection.js';

/**
 * What administrators monitor: `quota_refusals`, refused writes per account, subject and minute; `quota_thresholds`, limits
 * that accounts came close to; `quota_usage_hours`, usage at the end of each hour; `quota_usage_now`, current usage.
 */
export const quotaInsights = projection<AccountEvent | QuotaRefusalsEvent | StorageLedgerEvent>()({
  name: 'quota-insights',
  version: 2,
  tables: {
    quota_refusals: { key: ['account_id', 'minute', 'subject'], history: true },
    quota_thresholds: { key: ['position'] },
    quota_usage_hours: { key: ['account_id', 'subject', 'hour'] },
    quota_usage_now: { key: ['account_id'] },
  },
  on: {
    AccountCreated: ({ data }, { quota_usage_now }) =>
      quota_usage_now.put({ account_id: data.accountId, ...nothing }),
    AccountDeleted: ({ data }, { quota_usage_now }) => quota_usage_now.remove({ account_id: data.accountId }),
    UsageRecorded: (event, tables) => {
      used(event, tables, event.data.subject, event.data.total);
    },
    ReservationSettled: (event, tables) => {
      used(event, tables, event.data.subject, event.data.total);
    },
    UsageMoved: (event, tables) => {
      used(event, tables, event.data.from, event.data.fromTotal);
      used(event, tables, event.data.to, event.data.toTotal);
    },
    ObjectForgotten: (event, tables) => {
      for (const { subject, total } of event.data.entries) used(event, tables, subject, total);
    },
    QuotaThresholdReached: ({ id, position, recordedAt, streamId, data }, { quota_thresholds }) =>
      quota_thresholds.put({
        position,
        event_id: id,
        reached_at: recordedAt,
        account_id: Number(streamId),
        group: data.group,
        rule: data.rule,
        subjects: data.subjects,
        limit: data.limit,
        used: data.used,
        percent: data.percent,
      }),
    QuotaRefused: (event, { quota_refusals }) =>
      quota_refusals.put({ count: 1, ...refusalKey(event), ...reasonOf(event) }),
    QuotaRefusalsCounted: (event, { quota_refusals }) => {
      quota_refusals.add(refusalKey(event), { count: event.data.more });
      quota_refusals.patch(refusalKey(event), reasonOf(event));
    },
  },
});

const columns = {
  'size:repos:public': 'repos_public',
  'size:repos:private': 'repos_private',
  'size:git:lfs': 'git_lfs',
  'size:assets:attachments:issues': 'attachments_issues',
  'size:assets:attachments:releases': 'attachments_releases',
  'size:assets:artifacts': 'artifacts',
  'size:assets:packages:all': 'packages',
} as const satisfies Readonly<Record<UsageSubject, string>>;

const nothing = Object.fromEntries(Object.values(columns).map((column) => [column, 0]));

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function used(
  { streamId, recordedAt }: DomainEvent,
  { quota_usage_hours, quota_usage_now }: Readonly<Record<'quota_usage_hours' | 'quota_usage_now', Table>>,
  subject: UsageSubject,
  total: string,
): void {
  const account_id = Number(streamId);
  const hour = Math.floor(recordedAt.getTime() / HOUR_MS);
  quota_usage_hours.put({ account_id, subject, hour, bytes: total });
  quota_usage_now.patch({ account_id }, { [columns[subject]]: total });
}

const refusalKey = ({ streamId, data }: DomainEvent<QuotaRefusalsEvent>) => ({
  account_id: Number(streamId),
  subject: data.subject,
  minute: Date.parse(data.minute) / MINUTE_MS,
});

const reasonOf = ({ position, metadata, data }: DomainEvent<QuotaRefusalsEvent>): Columns => ({
  actor_id: metadata.actor?.id ?? null,
  group: data.group,
  rule: data.rule,
  limit: data.limit,
  used: data.used,
  incoming: data.incoming,
  decided_position: data.position,
  position,
});
