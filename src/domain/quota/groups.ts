import type { QuotaGroup } from './evaluation.js';
import type { QuotaCatalogueState } from './quota-catalogue.js';

/** A group with its id, and its rules sorted by name. */
type ListedGroup = QuotaGroup & { readonly id: number };

/** Returns the groups of a catalogue with their rules, both sorted by name. */
export const quotaGroups = (catalogue: QuotaCatalogueState): readonly ListedGroup[] =>
  groupsThat(catalogue, () => true);

/** Returns the groups that an account is in, and the defaults for accounts that are in none, sorted by name. */
export function groupsOf(
  catalogue: QuotaCatalogueState,
  { groups: joined }: { readonly groups: { has(groupId: number): boolean } },
) {
  const { defaults } = catalogue;
  return {
    own: groupsThat(catalogue, ({ id }) => joined.has(id)),
    defaults: {
      groups: groupsThat(catalogue, ({ name }) => defaults.groups.includes(name)),
      total: BigInt(defaults.total),
    },
  };
}

/** Finds groups, without looking at every rule for each group: every decision about storage asks for them. */
function groupsThat(
  { groups, rules }: QuotaCatalogueState,
  isMeant: (group: { readonly id: number; readonly name: string }) => boolean,
): readonly ListedGroup[] {
  const found = [...groups.values()].filter(isMeant);
  if (found.length === 0) return [];
  const ruleOf = new Map(Array.from(rules.values(), (rule) => [rule.id, rule]));
  return found.sort(byName).map(({ id, name, ruleIds }) => ({
    id,
    name,
    rules: [...ruleIds]
      .flatMap((ruleId) => ruleOf.get(ruleId) ?? [])
      .sort(byName)
      .map((rule) => ({ name: rule.name, limit: BigInt(rule.limit), subjects: rule.subjects })),
  }));
}

/** Compares names in the order of PostgreSQL's "C" collation, which compares the bytes of UTF-8. */
export const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(left.name), Buffer.from(right.name));
