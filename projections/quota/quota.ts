import type { QuotaCatalogueEvent } from '../../src/domain/quota/quota-catalogue.js';
import type { QuotaMembershipEvent } from '../../src/domain/quota/quota-membership.js';
import type { StorageLedgerEvent } from '../../src/domain/quota/storage-ledger.js';
import { projection } from '../projection.js';

/** Rules, groups, members, defaults, usage and reservations, with their history at every position. */
export const quota = projection<QuotaCatalogueEvent | QuotaMembershipEvent | StorageLedgerEvent>()({
  name: 'quota',
  version: 1,
  tables: {
    quota_rules: { key: ['id'], history: true },
    quota_groups: { key: ['id'], history: true },
    quota_group_rules: { key: ['group_id', 'rule_id'], history: true },
    quota_members: { key: ['group_id', 'account_id'], history: true },
    quota_defaults: { key: ['name'], history: true },
    quota_usage: { key: ['account_id', 'subject'], history: true },
    quota_reservations: { key: ['account_id', 'reservation_id'], history: true },
  },
  on: {
    QuotaRuleCreated: ({ data }, { quota_rules }) => quota_rules.put(ruleRow(data)),
    QuotaRuleEdited: ({ data }, { quota_rules }) => quota_rules.put(ruleRow(data)),
    QuotaRuleDeleted: ({ data }, { quota_rules }) => quota_rules.remove({ id: data.ruleId }),
    QuotaGroupCreated: ({ data }, { quota_groups }) =>
      quota_groups.put({ id: data.groupId, name: data.name }),
    QuotaGroupDeleted: ({ data }, { quota_groups, quota_group_rules, quota_members }) => {
      quota_groups.remove({ id: data.groupId });
      quota_group_rules.removeWhere({ group_id: data.groupId });
      quota_members.removeWhere({ group_id: data.groupId });
    },
    RuleAddedToQuotaGroup: ({ data }, { quota_group_rules }) =>
      quota_group_rules.put({ group_id: data.groupId, rule_id: data.ruleId }),
    RuleRemovedFromQuotaGroup: ({ data }, { quota_group_rules }) =>
      quota_group_rules.remove({ group_id: data.groupId, rule_id: data.ruleId }),
    AddedToQuotaGroup: ({ streamId, data }, { quota_members }) =>
      quota_members.put({ group_id: data.groupId, account_id: Number(streamId) }),
    RemovedFromQuotaGroup: ({ streamId, data }, { quota_members }) =>
      quota_members.remove({ group_id: data.groupId, account_id: Number(streamId) }),
    QuotaDefaultsRecorded: ({ data }, { quota_defaults }) =>
      quota_defaults.put({ name: 'main', groups: data.groups, total: data.total }),
    UsageRecorded: ({ streamId, data }, { quota_usage }) =>
      quota_usage.put(usageRow(streamId, data.subject, data.total)),
    UsageMoved: ({ streamId, data }, { quota_usage, quota_reservations }) => {
      quota_usage.put(usageRow(streamId, data.from, data.fromTotal));
      quota_usage.put(usageRow(streamId, data.to, data.toTotal));
      for (const id of data.reservationIds)
        quota_reservations.patch(reservationKey(streamId, id), { subject: data.to });
    },
    ObjectForgotten: ({ streamId, data }, { quota_usage }) => {
      for (const { subject, total } of data.entries) quota_usage.put(usageRow(streamId, subject, total));
    },
    StorageReserved: ({ streamId, data }, { quota_reservations }) =>
      quota_reservations.put({
        object_id: data.objectId,
        subject: data.subject,
        bytes: data.bytes,
        expires_at: new Date(data.expiresAt),
        ...reservationKey(streamId, data.reservationId),
      }),
    ReservationRenewed: ({ streamId, data }, { quota_reservations }) =>
      quota_reservations.patch(reservationKey(streamId, data.reservationId), {
        bytes: data.bytes,
        expires_at: new Date(data.expiresAt),
      }),
    ReservationSettled: ({ streamId, data }, { quota_usage, quota_reservations }) => {
      quota_reservations.remove(reservationKey(streamId, data.reservationId));
      quota_usage.put(usageRow(streamId, data.subject, data.total));
    },
    ReservationReleased: ({ streamId, data }, { quota_reservations }) =>
      quota_reservations.remove(reservationKey(streamId, data.reservationId)),
  },
});

const usageRow = (accountId: string, subject: string, total: string) => ({
  account_id: Number(accountId),
  subject,
  bytes: total,
});

const reservationKey = (accountId: string, id: string) => ({
  account_id: Number(accountId),
  reservation_id: id,
});

const ruleRow = (rule: { ruleId: number; name: string; limit: string; subjects: readonly string[] }) => ({
  id: rule.ruleId,
  name: rule.name,
  limit: rule.limit,
  subjects: rule.subjects,
});
