import type { AccountEvent } from '../domain/accounts/account.js';
import type { AdministratorsEvent } from '../domain/accounts/administrators.js';
import type { HookEvent } from '../domain/hooks/hook-messages.js';
import type { IdBlockEvent } from '../domain/ids/id-block.js';
import type { IssueEvent } from '../domain/issues/issue.js';
import type { MilestonesEvent } from '../domain/issues/milestones.js';
import type { RepositoryLabelsEvent } from '../domain/issues/repository-labels.js';
import type { OrganizationLabelsEvent } from '../domain/organizations/organization-labels.js';
import type { OrganizationEvent } from '../domain/organizations/organization.js';
import type { QuotaCatalogueEvent } from '../domain/quota/quota-catalogue.js';
import type { QuotaMembershipEvent } from '../domain/quota/quota-membership.js';
import type { QuotaRefusalsEvent } from '../domain/quota/quota-refusals.js';
import type { StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import type { RepositoryLanguagesEvent } from '../domain/repositories/languages.js';
import type { RepositoryEvent } from '../domain/repositories/repository-messages.js';
import type { CommitStatusesEvent } from '../domain/repositories/commit-statuses.js';
import type { ClaimEvent } from '../domain/claims/claim.js';

/** The registration of a type of event. */
export interface EventType {
  /** The categories of the streams that it may stand in. */
  readonly categories: readonly string[];
  /** The version of `data` that is written today; upcasters convert older ones. */
  readonly version: number;
}

type KnownEvent =
  | AccountEvent
  | AdministratorsEvent
  | CommitStatusesEvent
  | HookEvent
  | IdBlockEvent
  | IssueEvent
  | MilestonesEvent
  | RepositoryLabelsEvent
  | OrganizationEvent
  | OrganizationLabelsEvent
  | QuotaCatalogueEvent
  | QuotaMembershipEvent
  | QuotaRefusalsEvent
  | RepositoryEvent
  | RepositoryLanguagesEvent
  | ClaimEvent
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
  PersonErased: firstVersionIn('account'),
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
  ClaimMade: firstVersionIn('accountName', 'email', 'keyFingerprint', 'repositoryName', 'fork'),
  ClaimReleased: firstVersionIn('accountName', 'email', 'keyFingerprint', 'repositoryName', 'fork'),
  IdBlockReserved: firstVersionIn('ids'),
  OrganizationFounded: firstVersionIn('organization'),
  TeamCreated: firstVersionIn('organization'),
  TeamEdited: firstVersionIn('organization'),
  TeamDeleted: firstVersionIn('organization'),
  MemberJoined: firstVersionIn('organization'),
  MembersLeft: firstVersionIn('organization'),
  TeamMemberAdded: firstVersionIn('organization'),
  TeamMemberRemoved: firstVersionIn('organization'),
  TeamRepositoriesAdded: firstVersionIn('organization'),
  TeamRepositoryRemoved: firstVersionIn('organization'),
  MembershipPublicized: firstVersionIn('organization'),
  MembershipConcealed: firstVersionIn('organization'),
  OrganizationLabelCreated: firstVersionIn('organizationLabels'),
  OrganizationLabelEdited: firstVersionIn('organizationLabels'),
  OrganizationLabelDeleted: firstVersionIn('organizationLabels'),
  HookCreated: { categories: ['hook'], version: 2 },
  HookEdited: { categories: ['hook'], version: 2 },
  HookDeleted: firstVersionIn('hook'),
  IssueOpened: firstVersionIn('issue'),
  IssueTitleChanged: firstVersionIn('issue'),
  IssueBodyChanged: firstVersionIn('issue'),
  IssueRefChanged: firstVersionIn('issue'),
  IssueDeadlineChanged: firstVersionIn('issue'),
  IssueAssigneesChanged: firstVersionIn('issue'),
  IssueMilestoneChanged: firstVersionIn('issue'),
  IssueLabelsChanged: firstVersionIn('issue'),
  IssueClosed: firstVersionIn('issue'),
  IssueReopened: firstVersionIn('issue'),
  IssueCommented: firstVersionIn('issue'),
  CommentEdited: firstVersionIn('issue'),
  CommentDeleted: firstVersionIn('issue'),
  IssueDeleted: firstVersionIn('issue'),
  LabelCreated: firstVersionIn('labels'),
  LabelEdited: firstVersionIn('labels'),
  LabelDeleted: firstVersionIn('labels'),
  MilestoneCreated: firstVersionIn('milestones'),
  MilestoneEdited: firstVersionIn('milestones'),
  MilestoneDeleted: firstVersionIn('milestones'),
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
  RepositoryCreated: firstVersionIn('repository'),
  RepositoryEdited: firstVersionIn('repository'),
  RepositoryRenamed: firstVersionIn('repository'),
  RepositoryVisibilityChanged: firstVersionIn('repository'),
  RepositoryArchived: firstVersionIn('repository'),
  RepositoryUnarchived: firstVersionIn('repository'),
  RepositoryTransferRequested: firstVersionIn('repository'),
  RepositoryTransferRejected: firstVersionIn('repository'),
  RepositoryTransferred: firstVersionIn('repository'),
  RepositoryDetached: firstVersionIn('repository'),
  RepositoryDeleted: firstVersionIn('repository'),
  RepositoryAbandoned: firstVersionIn('repository'),
  RepositoryClaimLost: firstVersionIn('repository'),
  RefsUpdated: firstVersionIn('repository'),
  MirrorChanged: firstVersionIn('repository'),
  MirrorPulled: firstVersionIn('repository'),
  MirrorPullFailed: firstVersionIn('repository'),
  CollaboratorAdded: firstVersionIn('repository'),
  CollaboratorChanged: firstVersionIn('repository'),
  CollaboratorRemoved: firstVersionIn('repository'),
  TopicsReplaced: firstVersionIn('repository'),
  DeployKeyAdded: firstVersionIn('repository'),
  DeployKeyRemoved: firstVersionIn('repository'),
  BranchProtectionAdded: firstVersionIn('repository'),
  BranchProtectionEdited: firstVersionIn('repository'),
  BranchProtectionRemoved: firstVersionIn('repository'),
  CommitStatusReported: firstVersionIn('status'),
  LanguagesMeasured: firstVersionIn('languages'),
  QuotaRefused: firstVersionIn('quotaRefusals'),
  QuotaRefusalsCounted: firstVersionIn('quotaRefusals'),
  StorageReserved: firstVersionIn('storageLedger'),
  ReservationRenewed: firstVersionIn('storageLedger'),
  ReservationSettled: firstVersionIn('storageLedger'),
  ReservationReleased: firstVersionIn('storageLedger'),
  UsageRecorded: firstVersionIn('storageLedger'),
  UsageMoved: firstVersionIn('storageLedger'),
  ObjectForgotten: firstVersionIn('storageLedger'),
  QuotaThresholdReached: firstVersionIn('storageLedger'),
  QuotaThresholdLeft: firstVersionIn('storageLedger'),
};

/** The categories of all our streams, by which a subscription to EventStoreDB filters. */
export const categories: readonly string[] = [
  ...new Set(Object.values(eventTypes).flatMap((type) => type.categories)),
];
