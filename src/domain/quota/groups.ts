import type { QuotaGroup } from './evaluation.js';
import type { QuotaCatalogueState } from './quota-catalogue.js';

/** The groups of a catalogue with their rules, all by name. */
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

/** What may apply to an account: the groups that it is in, and what applies to whoever is in none. By name. */
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

/** The order of PostgreSQL's "C" collation, which compares the bytes of UTF-8. */
export const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(left.name), Buffer.from(right.name));
