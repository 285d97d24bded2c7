import type { UnitKey } from '../organizations/team-access.js';

export const mergeStyles = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'] as const;
/** How pull requests are merged, as the API spells it: a setting that is stored for clients. */
export type MergeStyle = (typeof mergeStyles)[number];

/** The settings that a repository's administrators may change, besides name, visibility, archiving and mirroring. */
export type RepositorySettings = {
  readonly description: string;
  readonly website: string;
  readonly isTemplate: boolean;
  readonly defaultBranch: string;
  /** The units that are switched on. */
  readonly units: readonly UnitKey[];
  readonly internalTracker: {
    readonly enableTimeTracker: boolean;
    readonly allowOnlyContributorsToTrackTime: boolean;
    readonly enableIssueDependencies: boolean;
  };
  readonly externalTracker: {
    readonly url: string;
    readonly format: string;
    readonly style: string;
    readonly regexpPattern: string;
  } | null;
  readonly externalWikiUrl: string | null;
  readonly wikiBranch: string;
  readonly globallyEditableWiki: boolean;
  readonly ignoreWhitespaceConflicts: boolean;
  readonly allowMergeCommits: boolean;
  readonly allowRebase: boolean;
  readonly allowRebaseExplicit: boolean;
  readonly allowSquashMerge: boolean;
  readonly allowFastForwardOnlyMerge: boolean;
  readonly allowManualMerge: boolean;
  readonly autodetectManualMerge: boolean;
  readonly allowRebaseUpdate: boolean;
  readonly defaultDeleteBranchAfterMerge: boolean;
  readonly defaultMergeStyle: MergeStyle;
  readonly defaultAllowMaintainerEdit: boolean;
};

/** The units that are on this server; a new repository has all of them. */
const internalUnits: readonly UnitKey[] = [
  'repo.code',
  'repo.issues',
  'repo.pulls',
  'repo.releases',
  'repo.wiki',
  'repo.projects',
  'repo.packages',
  'repo.actions',
];

/** The units of a new fork. */
export const forkUnits: readonly UnitKey[] = ['repo.code', 'repo.pulls'];

export const DEFAULT_BRANCH = 'main';

/** The settings of a new repository. */
export const defaultSettings: RepositorySettings = {
  description: '',
  website: '',
  isTemplate: false,
  defaultBranch: DEFAULT_BRANCH,
  units: internalUnits,
  internalTracker: {
    enableTimeTracker: true,
    allowOnlyContributorsToTrackTime: true,
    enableIssueDependencies: true,
  },
  externalTracker: null,
  externalWikiUrl: null,
  wikiBranch: 'main',
  globallyEditableWiki: false,
  ignoreWhitespaceConflicts: false,
  allowMergeCommits: true,
  allowRebase: true,
  allowRebaseExplicit: true,
  allowSquashMerge: true,
  allowFastForwardOnlyMerge: true,
  allowManualMerge: false,
  autodetectManualMerge: false,
  allowRebaseUpdate: true,
  defaultDeleteBranchAfterMerge: false,
  defaultMergeStyle: 'merge',
  defaultAllowMaintainerEdit: false,
};
