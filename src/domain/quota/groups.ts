import type { QuotaGroup } from './evaluation.js';
import type { QuotaCatalogueState } from './quota-catalogue.js';

/** A group with its id, and its rules sorted by name. */
type ListedGroup = QuotaGroup & { readonly id: number };

type NamedGroup = Pick<ListedGroup, 'id' | 'name'>;

/** Returns the groups of a catalogue with their rules, both sorted by name. */
export const quotaGroups = (catalogue: QuotaCatalogueState): readonly ListedGroup[] =>
  groupsThat(catalogue, () => true);

/** Returns the groups that an account is in, and the defaults for accounts that are in none, sorted by name. */
export function groupsOf(
  catalogue: QuotaCatalogueState,
  { groups: joined }: { readonly groups: { has(groupId: number): boolean } },
) {
  const { defaults } = catalogue;
  const isOwn = ({ id }: NamedGroup) => joined.has(id);
  const isDefault = ({ name }: NamedGroup) => defaults.groups.includes(name);
  const groups = groupsThat(catalogue, (group) => isOwn(group) || isDefault(group));
  return {
    own: groups.filter(isOwn),
    defaults: { groups: groups.filter(isDefault), total: BigInt(defaults.total) },
  };
}

/** Finds groups, without looking at every rule for each group: every decision about storage asks for them. */
function groupsThat(
  { groups, rules }: QuotaCatalogueState,
  isMeant: (group: NamedGroup) => boolean,
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
