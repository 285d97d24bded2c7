import { expect } from 'chai';
import { AccountName } from '../../src/domain/claims/claim.js';
import { IdBlock } from '../../src/domain/ids/id-block.js';
import { Organization } from '../../src/domain/organizations/organization.js';
import { QuotaCatalogue } from '../../src/domain/quota/quota-catalogue.js';
import { QuotaMembership } from '../../src/domain/quota/quota-membership.js';
import { QuotaRefusals } from '../../src/domain/quota/quota-refusals.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { CommitStatuses } from '../../src/domain/repositories/commit-statuses.js';
import { RepositoryLanguages } from '../../src/domain/repositories/languages.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import type { SnapshotForm } from '../../src/domain/snapshot.js';

/** What a decider says of its state. */
interface Kept {
  readonly category: string;
  readonly initialState: object;
  readonly snapshot?: Pick<SnapshotForm<never>, 'version'>;
}

/**
 * Databases hold snapshots of these states, which a release that has other fields would read as its own. Where one of the
 * lists changes, the version beside it is raised: then snapshots of before are not used.
 */
const FORMS: readonly (readonly [Kept, number, string])[] = [
  [AccountName, 1, 'holder'],
  [IdBlock, 1, 'next'],
  [Organization, 1, 'teams ownersTeamId members'],
  [QuotaCatalogue, 1, 'rules groups defaults.groups defaults.total'],
  [QuotaMembership, 1, 'groups'],
  [QuotaRefusals, 1, 'minutes'],
  [
    StorageLedger,
    2,
    `entries usage.size:repos:public usage.size:repos:private usage.size:git:lfs
    usage.size:assets:attachments:issues usage.size:assets:attachments:releases usage.size:assets:artifacts
    usage.size:assets:packages:all reservations forgotten levels`,
  ],
  [CommitStatuses, 1, 'count'],
  [RepositoryLanguages, 1, 'languages'],
  [
    Repository,
    2,
    `status ownerId name isPrivate isArchived baseId mirror settings.description settings.website
    settings.isTemplate settings.defaultBranch settings.units settings.internalTracker.enableTimeTracker
    settings.internalTracker.allowOnlyContributorsToTrackTime settings.internalTracker.enableIssueDependencies
    settings.externalTracker settings.externalWikiUrl settings.wikiBranch settings.globallyEditableWiki
    settings.ignoreWhitespaceConflicts settings.allowMergeCommits settings.allowRebase
    settings.allowRebaseExplicit settings.allowSquashMerge settings.allowFastForwardOnlyMerge
    settings.allowManualMerge settings.autodetectManualMerge settings.allowRebaseUpdate
    settings.defaultDeleteBranchAfterMerge settings.defaultMergeStyle settings.defaultAllowMaintainerEdit
    claimsLost triedAt refs collaborators.ownerId collaborators.permissions topics deployKeys
    branchProtections transfer.ownerId transfer.pending`,
  ],
];

describe('a state that databases hold snapshots of', () => {
  for (const [{ category, initialState, snapshot }, version, fields] of FORMS)
    it(`has the fields of its version: ${category}`, () => {
      expect(snapshot?.version).to.equal(version);
      expect(fieldsOf(initialState)).to.have.members(fields.split(/\s+/));
    });
});

/** The paths of all fields, also of the objects in it. */
function fieldsOf(state: object): string[] {
  return Object.entries(state).flatMap(([name, value]: [string, unknown]) =>
    isPlain(value) ? fieldsOf(value).map((field) => `${name}.${field}`) : [name],
  );
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length > 0;
