import type { AccountEvent } from '../domain/accounts/account.js';
import type { AdministratorsEvent } from '../domain/accounts/administrators.js';
import type { IdBlockEvent } from '../domain/ids/id-block.js';
import type { OrganizationLabelsEvent } from '../domain/organizations/organization-labels.js';
import type { OrganizationEvent } from '../domain/organizations/organization.js';
import type { QuotaCatalogueEvent } from '../domain/quota/quota-catalogue.js';
import type { QuotaMembershipEvent } from '../domain/quota/quota-membership.js';
import type { StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import type { ReservationEvent } from '../domain/reservations/reservation.js';

/** What the log knows of a type of event. */
export interface EventType {
  /** The streams it stands in: what their names begin with. */
  readonly categories: readonly string[];
  /** The shape of `data` that is written today; upcasters lift the older ones. */
  readonly version: number;
}

type KnownEvent =
  | AccountEvent
  | AdministratorsEvent
  | IdBlockEvent
  | OrganizationEvent
  | OrganizationLabelsEvent
  | QuotaCatalogueEvent
  | QuotaMembershipEvent
  | ReservationEvent
  | StorageLedgerEvent;

const firstVersionIn = (...categories: string[]): EventType => ({ categories, version: 1 });

/** Every type of event that is written. */
export const eventTypes: Readonly<Record<KnownEvent['type'], EventType>> = {
  AccountCreated: firstVersionIn('account'),
  AccountEdited: firstVersionIn('account'),
  AccountRenamed: firstVersionIn('account'),
  AccountClosing: firstVersionIn('account'),
  AccountReopened: firstVersionIn('account'),
  AccountDeleted: firstVersionIn('account'),
  ClaimAbandoned: firstVersionIn('account'),
  ClaimLost: firstVersionIn('account'),
  AccessTokenCreated: firstVersionIn('account'),
  AccessTokenDeleted: firstVersionIn('account'),
  PublicKeyAdded: firstVersionIn('account'),
  PublicKeyRemoved: firstVersionIn('account'),
  AdministratorAppointed: firstVersionIn('administrators'),
  AdministratorDismissed: firstVersionIn('administrators'),
  AdministratorSuspended: firstVersionIn('administrators'),
  AdministratorReinstated: firstVersionIn('administrators'),
  ClaimMade: firstVersionIn('accountName', 'email', 'keyFingerprint'),
  ClaimReleased: firstVersionIn('accountName', 'email', 'keyFingerprint'),
  IdBlockReserved: firstVersionIn('ids'),
  OrganizationFounded: firstVersionIn('organization'),
  TeamCreated: firstVersionIn('organization'),
  TeamEdited: firstVersionIn('organization'),
  TeamDeleted: firstVersionIn('organization'),
  MemberJoined: firstVersionIn('organization'),
  MembersLeft: firstVersionIn('organization'),
  TeamMemberAdded: firstVersionIn('organization'),
  TeamMemberRemoved: firstVersionIn('organization'),
  MembershipPublicized: firstVersionIn('organization'),
  MembershipConcealed: firstVersionIn('organization'),
  OrganizationLabelCreated: firstVersionIn('organizationLabels'),
  OrganizationLabelEdited: firstVersionIn('organizationLabels'),
  OrganizationLabelDeleted: firstVersionIn('organizationLabels'),
  QuotaRuleCreated: firstVersionIn('quotaCatalogue'),
  QuotaRuleEdited: firstVersionIn('quotaCatalogue'),
  QuotaRuleDeleted: firstVersionIn('quotaCatalogue'),
  QuotaGroupCreated: firstVersionIn('quotaCatalogue'),
  QuotaGroupDeleted: firstVersionIn('quotaCatalogue'),
  RuleAddedToQuotaGroup: firstVersionIn('quotaCatalogue'),
  RuleRemovedFromQuotaGroup: firstVersionIn('quotaCatalogue'),
  QuotaDefaultsRecorded: firstVersionIn('quotaCatalogue'),
  AddedToQuotaGroup: firstVersionIn('quotaMembership'),
  RemovedFromQuotaGroup: firstVersionIn('quotaMembership'),
  UsageRecorded: firstVersionIn('storageLedger'),
};

/** The categories of all our streams: what a subscription asks an EventStoreDB for. */
export const categories: readonly string[] = [
  ...new Set(Object.values(eventTypes).flatMap((type) => type.categories)),
];
