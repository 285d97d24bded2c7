import type { Message } from '../decider.js';
import type { QuotaSubject } from './subjects.js';

/** A limit in bytes as decimal digits, because JSON numbers are not exact beyond 2^53; `-1` means none. */
export type Limit = string;
/** The facts of a rule. */
export type RuleFacts = { readonly limit: Limit; readonly subjects: readonly QuotaSubject[] };
/** A requested rule, not checked yet. The id is used only if the rule is created. */
export type WantedRule = {
  readonly id: number;
  readonly name: string;
  readonly limit: Limit;
  readonly subjects: readonly string[];
};

/**
 * The commands of the catalogue. They refer to rules and groups by name. Absent fields of an edit stay as they are. A rule
 * in very many groups, and a group with very many rules, cannot be deleted by one append: `LightenQuotaRule` and
 * `LightenQuotaGroup` take a part out first, and are repeated until they give no events.
 */
export type QuotaCatalogueCommand =
  | Message<'CreateQuotaRule', WantedRule & { at: string }>
  | Message<'EditQuotaRule', { name: string; limit?: Limit; subjects?: readonly string[]; at: string }>
  | Message<'LightenQuotaRule', { name: string; at: string }>
  | Message<'DeleteQuotaRule', { name: string; at: string }>
  | Message<'CreateQuotaGroup', { id: number; name: string; rules: readonly WantedRule[]; at: string }>
  | Message<'LightenQuotaGroup', { name: string; at: string }>
  | Message<'DeleteQuotaGroup', { name: string; at: string }>
  | Message<'AddRuleToQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RemoveRuleFromQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RecordQuotaDefaults', { groups: readonly string[]; total: Limit; at: string }>;

/** A rule that was added to a group, or removed from it. */
export type RuleInGroup = { groupId: number; groupName: string; ruleId: number; ruleName: string };

// Stored for good: fields may be added, never renamed or removed.
/** The events of rules, groups and defaults, with the names of that time. `before` are the previous facts. */
export type QuotaCatalogueEvent =
  | Message<'QuotaRuleCreated', { ruleId: number; name: string; createdAt: string } & RuleFacts>
  | Message<
      'QuotaRuleEdited',
      { ruleId: number; name: string; before: RuleFacts; editedAt: string } & RuleFacts
    >
  | Message<'QuotaRuleDeleted', { ruleId: number; name: string; before: RuleFacts; deletedAt: string }>
  | Message<'QuotaGroupCreated', { groupId: number; name: string; createdAt: string }>
  | Message<
      'QuotaGroupDeleted',
      { groupId: number; name: string; rules: readonly string[]; deletedAt: string }
    >
  | Message<'RuleAddedToQuotaGroup', RuleInGroup & { addedAt: string }>
  | Message<'RuleRemovedFromQuotaGroup', RuleInGroup & { removedAt: string }>
  | Message<
      'QuotaDefaultsRecorded',
      {
        groups: readonly string[];
        total: Limit;
        before: { groups: readonly string[]; total: Limit };
        recordedAt: string;
      }
    >;
