import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { QuotaCatalogueEvent } from '../../src/domain/quota/quota-catalogue.js';
import type { QuotaMembershipEvent } from '../../src/domain/quota/quota-membership.js';
import type { Json } from '../../src/values/json.js';
import { erasedActors, historyColumns } from '../history-columns.js';
import { projection, type Table } from '../projection.js';

type Tables = { readonly quota_changes: Table };

/** A change as the history shows it. `before` is absent if there was no value, `after` if there is none. */
interface Change {
  readonly accountId?: number;
  readonly groups?: readonly string[];
  readonly rules?: readonly string[];
  readonly before?: Json;
  readonly after?: Json;
}

/** `quota_changes`: a row for each change to rules, groups, membership and defaults. */
export const quotaHistory = projection<QuotaCatalogueEvent | QuotaMembershipEvent>()({
  name: 'quota-history',
  version: 2,
  tables: { quota_changes: { key: ['position'] } },
  erases: [erasedActors('quota_changes')],
  on: {
    QuotaRuleCreated: (event, tables) =>
      record(event, tables, { rules: [event.data.name], after: rule(event.data) }),
    QuotaRuleEdited: (event, tables) => {
      const { name, before } = event.data;
      record(event, tables, { rules: [name], before: rule({ name, ...before }), after: rule(event.data) });
    },
    QuotaRuleDeleted: (event, tables) => {
      const { name, before } = event.data;
      record(event, tables, { rules: [name], before: rule({ name, ...before }) });
    },
    QuotaGroupCreated: (event, tables) => {
      const { name } = event.data;
      record(event, tables, { groups: [name], after: { name } });
    },
    QuotaGroupDeleted: (event, tables) => {
      const { name, rules } = event.data;
      record(event, tables, { groups: [name], rules, before: { name, rules } });
    },
    RuleAddedToQuotaGroup: (event, tables) => {
      const { groupName: group, ruleName: rule } = event.data;
      record(event, tables, { groups: [group], rules: [rule], after: { group, rule } });
    },
    RuleRemovedFromQuotaGroup: (event, tables) => {
      const { groupName: group, ruleName: rule } = event.data;
      record(event, tables, { groups: [group], rules: [rule], before: { group, rule } });
    },
    AddedToQuotaGroup: (event, tables) => {
      const { groupName: group } = event.data;
      record(event, tables, { accountId: Number(event.streamId), groups: [group], after: { group } });
    },
    RemovedFromQuotaGroup: (event, tables) => {
      const { groupName: group } = event.data;
      record(event, tables, { accountId: Number(event.streamId), groups: [group], before: { group } });
    },
    QuotaDefaultsRecorded: (event, tables) => {
      const { before, groups, total } = event.data;
      record(event, tables, {
        groups: [...new Set([...before.groups, ...groups])],
        before: { groups: before.groups, total: BigInt(before.total) },
        after: { groups, total: BigInt(total) },
      });
    },
  },
});

const rule = ({
  name,
  limit,
  subjects,
}: {
  name: string;
  limit: string;
  subjects: readonly string[];
}): Json => ({
  name,
  limit: BigInt(limit),
  subjects,
});

function record(event: DomainEvent, { quota_changes }: Tables, change: Change): void {
  quota_changes.put({
    account_id: change.accountId ?? null,
    groups: change.groups ?? [],
    rules: change.rules ?? [],
    ...historyColumns(event, change),
  });
}
