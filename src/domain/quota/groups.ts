import type { QuotaGroup } from './evaluation.js';
import type { QuotaCatalogueState } from './quota-catalogue.js';

/** Returns the groups of a catalogue with their rules, both sorted by name. */
export function quotaGroups({
  groups,
  rules,
}: QuotaCatalogueState): readonly (QuotaGroup & { id: number })[] {
  return [...groups.values()].sort(byName).map(({ id, name, ruleIds }) => ({
    id,
    name,
    rules: [...rules.values()]
      .filter((rule) => ruleIds.has(rule.id))
      .sort(byName)
      .map((rule) => ({ name: rule.name, limit: BigInt(rule.limit), subjects: rule.subjects })),
  }));
}

/** Returns the groups that an account is in, and the defaults for accounts that are in none, sorted by name. */
export function groupsOf(
  catalogue: QuotaCatalogueState,
  { groups: joined }: { readonly groups: { has(groupId: number): boolean } },
) {
  const groups = quotaGroups(catalogue);
  const { defaults } = catalogue;
  return {
    own: groups.filter(({ id }) => joined.has(id)),
    defaults: {
      groups: groups.filter(({ name }) => defaults.groups.includes(name)),
      total: BigInt(defaults.total),
    },
  };
}

/** Compares names in the order of PostgreSQL's "C" collation, which compares the bytes of UTF-8. */
export const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(left.name), Buffer.from(right.name));
