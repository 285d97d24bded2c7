import type { Map as ImmutableMap } from 'immutable';
import type { Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import {
  QuotaCatalogue,
  type CatalogueGroup,
  type QuotaCatalogueEvent,
} from '../domain/quota/quota-catalogue.js';
import { QuotaMembership, type QuotaMembershipEvent } from '../domain/quota/quota-membership.js';
import { StorageLedger, type StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import { readable } from '../event-log/events-between.js';
import { quotaRow, type RowText } from './quota-rows.js';

type Catalogue = typeof QuotaCatalogue.initialState;
type Membership = typeof QuotaMembership.initialState;
type Ledger = typeof StorageLedger.initialState;

/** The rows that an event may have changed, before and after it. Those that are in both did not change. */
export interface Change {
  readonly before: readonly RowText[];
  readonly after: readonly RowText[];
}

const NO_CHANGE: Change = { before: [], after: [] };

/** All quota aggregates, which know nothing of tables. Tells as rows what each event changes. */
export class Replay {
  #catalogue = QuotaCatalogue.initialState;
  readonly #memberships = new Map<number, Membership>();
  readonly #ledgers = new Map<number, Ledger>();
  /** The accounts that were added to each group, by its id. */
  readonly #members = new Map<number, Set<number>>();

  /** Applies the next event of the log. */
  apply(event: DomainEvent): Change {
    const id = Number(event.streamId);
    if (isOf<QuotaCatalogueEvent>(event, QuotaCatalogue)) return this.#changeCatalogue(readable(event));
    if (isOf<QuotaMembershipEvent>(event, QuotaMembership)) return this.#changeGroups(id, readable(event));
    if (isOf<StorageLedgerEvent>(event, StorageLedger)) return this.#changeLedger(id, readable(event));
    return NO_CHANGE;
  }

  #changeCatalogue(event: QuotaCatalogueEvent): Change {
    const before = this.#catalogue;
    const after = QuotaCatalogue.evolve(before, event);
    this.#catalogue = after;
    return {
      before: [...catalogueRows(before, after), ...this.#membersOfDeleted(before, after)],
      after: catalogueRows(after, before),
    };
  }

  /** Returns the rows of members that end because their group is deleted. */
  #membersOfDeleted(before: Catalogue, after: Catalogue): readonly RowText[] {
    return differing(before.groups, after.groups)
      .filter(([name]) => !after.groups.has(name))
      .flatMap(([, { id }]) =>
        Array.from(this.#members.get(id) ?? [], (accountId) => quotaRow.member({ groupId: id, accountId })),
      );
  }

  #changeGroups(accountId: number, event: QuotaMembershipEvent): Change {
    const before = this.#memberships.get(accountId) ?? QuotaMembership.initialState;
    const after = QuotaMembership.evolve(before, event);
    this.#memberships.set(accountId, after);
    const left = lacking(before.groups, after.groups);
    const joined = lacking(after.groups, before.groups);
    for (const groupId of left) this.#members.get(groupId)?.delete(accountId);
    for (const groupId of joined)
      this.#members.set(groupId, (this.#members.get(groupId) ?? new Set()).add(accountId));
    return {
      before: left.map((groupId) => quotaRow.member({ groupId, accountId })),
      after: joined.map((groupId) => quotaRow.member({ groupId, accountId })),
    };
  }

  #changeLedger(accountId: number, event: StorageLedgerEvent): Change {
    const before = this.#ledgers.get(accountId) ?? StorageLedger.initialState;
    const after = StorageLedger.evolve(before, event);
    this.#ledgers.set(accountId, after);
    const named = subjectsOf(event);
    return {
      before: ledgerRows(accountId, before, after, named),
      after: ledgerRows(accountId, after, before, named),
    };
  }
}

const isOf = <E extends Message>(
  event: DomainEvent,
  { category }: { readonly category: string },
): event is DomainEvent<E> => event.stream.startsWith(`${category}-`);

/** Returns the rows of a catalogue that the other one may lack. */
function catalogueRows({ rules, groups, defaults }: Catalogue, other: Catalogue): readonly RowText[] {
  const recorded = defaults !== other.defaults && defaults !== QuotaCatalogue.initialState.defaults;
  return [
    ...differing(rules, other.rules).map(([, rule]) => quotaRow.rule(rule)),
    ...differing(groups, other.groups).flatMap(([name, group]) => groupRows(group, other.groups.get(name))),
    ...(recorded ? [quotaRow.defaults({ name: 'main', ...defaults })] : []),
  ];
}

const groupRows = ({ id, name, ruleIds }: CatalogueGroup, other: CatalogueGroup | undefined): RowText[] => [
  quotaRow.group({ id, name }),
  ...[...ruleIds]
    .filter((ruleId) => other?.id !== id || !other.ruleIds.has(ruleId))
    .map((ruleId) => quotaRow.groupRule({ groupId: id, ruleId })),
];

/**
 * Returns the rows of a ledger that the other one may lack. A subject has a row of its usage, though it be 0, from the
 * first event on that names it.
 */
function ledgerRows(
  accountId: number,
  { usage, reservations }: Ledger,
  other: Ledger,
  named: readonly string[],
): readonly RowText[] {
  return [
    ...Object.entries(usage)
      .filter(([subject, bytes]) => named.includes(subject) || bytes !== valueIn(other.usage, subject))
      .map(([subject, bytes]) => quotaRow.usage({ accountId, subject, bytes })),
    ...differing(reservations, other.reservations).map(([id, held]) =>
      quotaRow.reservation({ accountId, id, ...held }),
    ),
  ];
}

const valueIn = (usage: Readonly<Record<string, bigint>>, subject: string) => usage[subject];

/** Returns the subjects whose usage the event states. */
function subjectsOf({ type, data }: StorageLedgerEvent): readonly string[] {
  switch (type) {
    case 'UsageRecorded':
    case 'ReservationSettled':
      return [data.subject];
    case 'UsageMoved':
      return [data.from, data.to];
    case 'ObjectForgotten':
      return data.entries.map(({ subject }) => subject);
    case 'StorageReserved':
    case 'ReservationRenewed':
    case 'ReservationReleased':
    case 'QuotaThresholdReached':
    case 'QuotaThresholdLeft':
      return [];
  }
}

/** Returns the entries that the other map lacks or has another value for. */
const differing = <K, V>(map: ImmutableMap<K, V>, other: ImmutableMap<K, V>): readonly (readonly [K, V])[] =>
  map === other ? [] : [...map].filter(([key, value]) => other.get(key) !== value);

const lacking = <K, V>(map: ImmutableMap<K, V>, other: ImmutableMap<K, V>): readonly K[] =>
  [...map.keys()].filter((key) => !other.has(key));
