import type { QuotaGroup } from './evaluation.js';
import { byName } from './names.js';
import type { CatalogueGroup, CatalogueRule, QuotaCatalogueState } from './quota-catalogue.js';

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

const groupsThat = (
  catalogue: QuotaCatalogueState,
  isMeant: (group: NamedGroup) => boolean,
): readonly ListedGroup[] =>
  [...catalogue.groups.values()]
    .filter(isMeant)
    .sort(byName)
    .map((group) => listed(catalogue, group));

/** What was listed of a catalogue: its rules by id, and the groups that were asked for. */
interface Listing {
  readonly rules: ReadonlyMap<number, CatalogueRule>;
  readonly groups: Map<number, ListedGroup>;
}

/** Kept for each state, because every decision about storage asks for groups, and there may be thousands of rules. */
const listings = new WeakMap<QuotaCatalogueState, Listing>();

function listingOf(catalogue: QuotaCatalogueState): Listing {
  let listing = listings.get(catalogue);
  if (!listing) {
    const rules = new Map(Array.from(catalogue.rules.values(), (rule) => [rule.id, rule]));
    listings.set(catalogue, (listing = { rules, groups: new Map() }));
  }
  return listing;
}

/** Lists a group, once for each state. */
function listed(catalogue: QuotaCatalogueState, { id, name, ruleIds }: CatalogueGroup): ListedGroup {
  const listing = listingOf(catalogue);
  const known = listing.groups.get(id);
  if (known) return known;
  const rules = [...ruleIds]
    .flatMap((ruleId) => listing.rules.get(ruleId) ?? [])
    .sort(byName)
    .map((rule) => ({ name: rule.name, limit: BigInt(rule.limit), subjects: rule.subjects }));
  const group = { id, name, rules };
  listing.groups.set(id, group);
  return group;
}
