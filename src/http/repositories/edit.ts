import { z } from 'zod';
import { editRepository, type RepositoryEdit } from '../../commands/repositories/edit-repository.js';
import { NAME_TAKEN } from '../../commands/repositories/repository-claims.js';
import { defined } from '../../values/defined.js';
import { hasCode, invalid } from '../../domain/errors.js';
import type { UnitKey } from '../../domain/organizations/team-access.js';
import { checkBranchName } from '../../domain/repositories/names.js';
import type { Mirror } from '../../domain/repositories/repository-messages.js';
import { mergeStyles, type RepositorySettings } from '../../domain/repositories/settings.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { route } from '../route.js';
import { refuseNarrowToken } from '../public-only.js';
import { atMost, optional, orNothing, problem, webAddress } from '../schema.js';
import { repositoryAdministrator } from './access.js';
import { forksOf } from './forks-of.js';
import { mirrorInterval } from './mirror-interval.js';
import { wholeRepositoryAt } from './place.js';
import { presentRepositoryNow } from './presenter.js';
import { Repository } from './schema.js';

const flag = optional(z.boolean());
const text = optional(z.string());

/** Bounds the length of addresses, because every list of repositories includes them. */
const MAX_ADDRESS = 2_048;

/** Matches a placeholder that lacks one of its braces: `{user`, `repo}`. */
const BROKEN_PLACEHOLDER = /\{(?:user|repo|index)(?!\})|(?<!\{)(?:user|repo|index)\}/;

/** A tracker's address with placeholders: it must be an http or https URL, and its placeholders complete. */
const trackerFormat = atMost(MAX_ADDRESS)
  .refine((format) => format === '' || /^https?:\/\/[^\s]+$/i.test(format), 'must be an http or https URL')
  .refine((format) => !BROKEN_PLACEHOLDER.test(format), 'has a placeholder that lacks a brace');

const requiredAddress = webAddress.pipe(atMost(MAX_ADDRESS)).refine((url) => url !== '', 'Required');

const EditRepositoryBody = z
  .object({
    name: text,
    description: optional(atMost(2048)),
    website: optional(webAddress.pipe(atMost(1024))),
    private: flag,
    template: flag,
    default_branch: orNothing(z.string()),
    archived: flag,
    has_issues: flag,
    internal_tracker: optional(
      z
        .object({
          enable_time_tracker: flag,
          allow_only_contributors_to_track_time: flag,
          enable_issue_dependencies: flag,
        })
        .meta({ id: 'InternalTrackerOption' }),
    ),
    external_tracker: optional(
      z
        .object({
          external_tracker_url: requiredAddress,
          external_tracker_format: optional(trackerFormat),
          external_tracker_style: orNothing(z.enum(['', 'numeric', 'alphanumeric', 'regexp'])),
          external_tracker_regexp_pattern: optional(atMost(1_024)),
        })
        .meta({ id: 'ExternalTrackerOption' }),
    ),
    has_wiki: flag,
    external_wiki: optional(
      z.object({ external_wiki_url: requiredAddress }).meta({ id: 'ExternalWikiOption' }),
    ),
    wiki_branch: text,
    globally_editable_wiki: flag,
    has_pull_requests: flag,
    has_projects: flag,
    has_releases: flag,
    has_packages: flag,
    has_actions: flag,
    ignore_whitespace_conflicts: flag,
    allow_merge_commits: flag,
    allow_rebase: flag,
    allow_rebase_explicit: flag,
    allow_squash_merge: flag,
    allow_fast_forward_only_merge: flag,
    allow_manual_merge: flag,
    autodetect_manual_merge: flag,
    allow_rebase_update: flag,
    default_delete_branch_after_merge: flag,
    default_merge_style: optional(z.enum(mergeStyles)),
    default_allow_maintainer_edit: flag,
    mirror_interval: orNothing(z.string()),
    enable_prune: flag,
  })
  .meta({ id: 'EditRepoOption' });

type Body = z.output<typeof EditRepositoryBody>;

/** Returns the units after a change; those that the body does not mention stay as they are. */
function unitsAfter(current: readonly UnitKey[], body: Body): readonly UnitKey[] {
  const units = new Set(current);
  placeFeature(units, tracker, {
    on: body.has_issues,
    describesOwn: body.internal_tracker !== undefined,
    describesExternal: body.external_tracker !== undefined,
  });
  placeFeature(units, wiki, {
    on: body.has_wiki,
    describesOwn: false,
    describesExternal: body.external_wiki !== undefined,
  });
  turn(units, 'repo.pulls', body.has_pull_requests);
  turn(units, 'repo.projects', body.has_projects);
  turn(units, 'repo.releases', body.has_releases);
  turn(units, 'repo.packages', body.has_packages);
  turn(units, 'repo.actions', body.has_actions);
  return [...units];
}

/** A feature with two units, of which at most one is on: kept here, or external. */
interface Feature {
  readonly own: UnitKey;
  readonly external: UnitKey;
}

const tracker: Feature = { own: 'repo.issues', external: 'repo.ext_issues' };
const wiki: Feature = { own: 'repo.wiki', external: 'repo.ext_wiki' };

/** What a body says about such a feature. */
interface Placing {
  /** Whether the feature is to be on; undefined if the body does not say. */
  readonly on: boolean | undefined;
  /** Whether the body has settings for the feature that is kept here. */
  readonly describesOwn: boolean;
  readonly describesExternal: boolean;
}

function placeFeature(
  units: Set<UnitKey>,
  { own, external }: Feature,
  { on, describesOwn, describesExternal }: Placing,
): void {
  // Settings for a feature move it here or elsewhere while it is on, but do not switch it on.
  const isOn = units.has(own) || units.has(external);
  if (on === undefined && !(isOn && (describesOwn || describesExternal))) return;
  const staysExternal = on === true && units.has(external) && !describesOwn;
  const isExternal = describesExternal || staysExternal;
  turn(units, own, on !== false && !isExternal);
  turn(units, external, on !== false && isExternal);
}

/** Switches a unit on or off; undefined leaves it as it is. */
function turn(units: Set<UnitKey>, unit: UnitKey, on: boolean | undefined): void {
  if (on === true) units.add(unit);
  if (on === false) units.delete(unit);
}

/** Computes the settings that depend on the current ones: the units, and tracker settings that the body leaves out. */
const adjustedBy =
  (body: Body) =>
  ({ units, internalTracker }: RepositorySettings): Partial<RepositorySettings> => {
    const asked = {
      enableTimeTracker: body.internal_tracker?.enable_time_tracker,
      allowOnlyContributorsToTrackTime: body.internal_tracker?.allow_only_contributors_to_track_time,
      enableIssueDependencies: body.internal_tracker?.enable_issue_dependencies,
    };
    return { units: unitsAfter(units, body), internalTracker: { ...internalTracker, ...defined(asked) } };
  };

function settingsOf(body: Body): Partial<RepositorySettings> {
  const { external_tracker: external } = body;
  if (body.wiki_branch) checkBranchName(body.wiki_branch, 'WikiBranch');
  return defined({
    description: body.description,
    website: body.website,
    isTemplate: body.template,
    defaultBranch: body.default_branch,
    externalTracker: external && {
      url: external.external_tracker_url,
      format: external.external_tracker_format ?? '',
      style: external.external_tracker_style ?? 'numeric',
      regexpPattern: external.external_tracker_regexp_pattern ?? '',
    },
    externalWikiUrl: body.external_wiki?.external_wiki_url,
    wikiBranch: body.wiki_branch,
    globallyEditableWiki: body.globally_editable_wiki,
    ignoreWhitespaceConflicts: body.ignore_whitespace_conflicts,
    allowMergeCommits: body.allow_merge_commits,
    allowRebase: body.allow_rebase,
    allowRebaseExplicit: body.allow_rebase_explicit,
    allowSquashMerge: body.allow_squash_merge,
    allowFastForwardOnlyMerge: body.allow_fast_forward_only_merge,
    allowManualMerge: body.allow_manual_merge,
    autodetectManualMerge: body.autodetect_manual_merge,
    allowRebaseUpdate: body.allow_rebase_update,
    defaultDeleteBranchAfterMerge: body.default_delete_branch_after_merge,
    defaultMergeStyle: body.default_merge_style,
    defaultAllowMaintainerEdit: body.default_allow_maintainer_edit,
  });
}

/** Returns the changes of a mirror that a body asks for. */
function mirrorIn({ mirror_interval: interval, enable_prune: prune }: Body): Partial<Mirror> {
  return defined({ intervalSeconds: interval === undefined ? undefined : mirrorInterval(interval), prune });
}

function editOf(row: RepositoryRow, body: Body): RepositoryEdit {
  return {
    settings: settingsOf(body),
    adjusted: adjustedBy(body),
    ...defined({
      name: body.name,
      isPrivate: body.private,
      isArchived: body.archived,
      mirror: row.mirror ? mirrorIn(body) : undefined,
    }),
  };
}

/** Fields that are absent stay as they are. A taken name is 422 here, not 409. */
export const editRepositoryRoute = route({
  id: 'repoEdit',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}',
  access: repositoryAdministrator,
  scope: 'repository',
  parent: wholeRepositoryAt,
  body: EditRepositoryBody,
  answers: { 200: Repository, 401: problem, 403: problem, 404: problem, 422: problem, 423: problem },
  async handle({ parent: { repository }, body, caller, context, db, services, wrote, shown }) {
    if (body.private) refuseNarrowToken({ visibility: 'private' }, caller);
    const editing = { ...services, forksOf: forksOf({ db, wrote }) };
    try {
      await wrote(await editRepository(editing, repository.id, editOf(repository, body), context));
    } catch (error) {
      if (hasCode(error, NAME_TAKEN))
        throw invalid(error.code, 'Name', 'the owner has a repository of this name');
      throw error;
    }
    await shown();
    return presentRepositoryNow({ caller, db, services }, repository.id);
  },
});
