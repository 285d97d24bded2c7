import type { RepositorySettings } from '../../src/domain/repositories/settings.js';

/** The column of `repositories` for each setting. */
const COLUMNS = {
  description: 'description',
  website: 'website',
  isTemplate: 'is_template',
  defaultBranch: 'default_branch',
  units: 'units',
  internalTracker: 'internal_tracker',
  externalTracker: 'external_tracker',
  externalWikiUrl: 'external_wiki_url',
  wikiBranch: 'wiki_branch',
  globallyEditableWiki: 'globally_editable_wiki',
  ignoreWhitespaceConflicts: 'ignore_whitespace_conflicts',
  allowMergeCommits: 'allow_merge_commits',
  allowRebase: 'allow_rebase',
  allowRebaseExplicit: 'allow_rebase_explicit',
  allowSquashMerge: 'allow_squash_merge',
  allowFastForwardOnlyMerge: 'allow_fast_forward_only_merge',
  allowManualMerge: 'allow_manual_merge',
  autodetectManualMerge: 'autodetect_manual_merge',
  allowRebaseUpdate: 'allow_rebase_update',
  defaultDeleteBranchAfterMerge: 'default_delete_branch_after_merge',
  defaultMergeStyle: 'default_merge_style',
  defaultAllowMaintainerEdit: 'default_allow_maintainer_edit',
} as const satisfies Record<keyof RepositorySettings, string>;

/** Settings under the names of their columns in `repositories`. */
export type SettingColumns = {
  readonly [Setting in keyof RepositorySettings as (typeof COLUMNS)[Setting]]: RepositorySettings[Setting];
};

/** Returns the columns of the given settings. Undefined settings are left out, so that a patch does not change them. */
export function settingColumns(settings: RepositorySettings): SettingColumns;
export function settingColumns(settings: Partial<RepositorySettings>): Partial<SettingColumns>;
export function settingColumns(settings: Partial<RepositorySettings>): Partial<SettingColumns> {
  const given = (Object.keys(COLUMNS) as (keyof RepositorySettings)[]).filter(
    (setting) => settings[setting] !== undefined,
  );
  return Object.fromEntries(given.map((setting) => [COLUMNS[setting], settings[setting]]));
}
