import type { z } from 'zod';
import type { Queryable } from '../../database/queryable.js';
import { rankOf, type UnitKey } from '../../domain/organizations/team-access.js';
import { findRepositoriesById, type RepositoryRow } from '../../queries/repositories/repositories.js';
import { presentUsersById } from '../accounts/presenter.js';
import { NO_TIME, timeText } from '../answers/time-text.js';
import type { User } from '../accounts/schema.js';
import type { Viewing } from '../actions.js';
import type { Caller } from '../caller.js';
import type { PresenterServices } from '../services.js';
import { durationText } from './duration.js';
import { presentTransfers } from './pending-transfers.js';
import { isSeenBy, repositoryWithId, viewerOf } from './place.js';
import type { Repository } from './schema.js';

const NEVER_ARCHIVED = '1970-01-01T00:00:00Z';

type PresentedUser = z.output<typeof User>;
/** A Repository in an answer. */
export type PresentedRepository = z.output<typeof Repository>;

/** Presents a repository to the caller for whom the row was read. */
export async function presentRepository(
  row: RepositoryRow,
  caller: Caller,
  services: PresenterServices,
): Promise<PresentedRepository> {
  const [repository] = await presentRepositories([row], caller, services);
  if (!repository) throw new Error('one row gives one repository');
  return repository;
}

/** As `presentRepository`, by id and as it is now. Throws 404 if the caller may not know of it. */
export async function presentRepositoryNow(
  { caller, db, services }: Viewing,
  id: number,
): Promise<PresentedRepository> {
  const { repository } = await repositoryWithId(db, id, caller);
  return presentRepository(repository, caller, services);
}

/** As `presentRepository`, for a list, including the parents that the caller may see. */
export async function presentRepositories(
  rows: readonly RepositoryRow[],
  caller: Caller,
  services: PresenterServices,
): Promise<PresentedRepository[]> {
  const parents = await parentsOf(services.db, rows, caller);
  const all = [...rows, ...parents.values()];
  const accounts = new Map(all.map(({ owner }) => [owner.id, owner]));
  const [owners, transfers] = await Promise.all([
    presentUsersById(accounts.values(), caller, services),
    presentTransfers(all, caller, services),
  ]);
  const { baseUrl } = services.config;
  const { hostname } = new URL(baseUrl);
  const present = (row: RepositoryRow, parent: PresentedRepository | null): PresentedRepository => {
    const owner = owners.get(row.owner.id);
    if (!owner) throw new Error('every owner was presented');
    return presentRow(row, { owner, parent, transfer: transfers.get(row.id) ?? null, baseUrl, hostname });
  };
  return rows.map((row) => {
    const parent = row.base_id === null ? undefined : parents.get(row.base_id);
    return present(row, parent ? present(parent, null) : null);
  });
}

async function parentsOf(
  db: Queryable,
  rows: readonly RepositoryRow[],
  caller: Caller,
): Promise<ReadonlyMap<number, RepositoryRow>> {
  const ids = rows.flatMap(({ base_id }) => base_id ?? []);
  const found = await findRepositoriesById(db, [...new Set(ids)], viewerOf(caller));
  return new Map([...found].filter(([, row]) => isSeenBy(row, caller)));
}

/** Only the creator watches a repository, because there are no routes to start or stop watching. */
const WATCHERS = 1;

interface Around {
  readonly owner: PresentedUser;
  readonly parent: PresentedRepository | null;
  readonly transfer: PresentedRepository['repo_transfer'];
  readonly baseUrl: string;
  /** The host of `baseUrl`. */
  readonly hostname: string;
}

/** A single literal, because objects of one shape are created and serialised faster than merged ones. */
function presentRow(
  row: RepositoryRow,
  { owner, parent, transfer, baseUrl, hostname }: Around,
): PresentedRepository {
  const fullName = `${owner.login}/${row.name}`;
  const htmlUrl = `${baseUrl}/${fullName}`;
  const url = `${baseUrl}/api/v1/repos/${fullName}`;
  const has = (unit: UnitKey) => row.units.includes(unit);
  const pulls = has('repo.pulls');
  return {
    id: row.id,
    owner,
    name: row.name,
    full_name: fullName,
    description: row.description,
    empty: row.is_empty,
    private: row.is_private,
    fork: row.base_id !== null,
    template: row.is_template,
    parent,
    mirror: row.mirror !== null,
    size: Math.floor(row.size_bytes / 1024),
    language: row.is_empty ? '' : row.language, // a mirror may have become empty
    languages_url: `${url}/languages`,
    html_url: htmlUrl,
    url,
    link: '',
    ssh_url: `ssh://git@${hostname}/${fullName}.git`,
    clone_url: `${htmlUrl}.git`,
    original_url: row.original_url,
    website: row.website,
    stars_count: row.stars,
    forks_count: row.forks,
    watchers_count: WATCHERS,
    open_issues_count: row.open_issues,
    open_pr_counter: row.open_pulls,
    release_counter: row.releases,
    default_branch: row.default_branch,
    archived: row.archived_at !== null,
    created_at: timeText(row.created_at),
    updated_at: timeText(row.updated_at),
    archived_at: row.archived_at ? timeText(row.archived_at) : NEVER_ARCHIVED,
    permissions: permissionsOf(row),
    has_code: has('repo.code'),
    has_issues: has('repo.issues') || has('repo.ext_issues'),
    internal_tracker: has('repo.issues') ? presentInternalTracker(row.internal_tracker) : undefined,
    external_tracker: has('repo.ext_issues') ? presentExternalTracker(row.external_tracker) : undefined,
    has_wiki: has('repo.wiki') || has('repo.ext_wiki'),
    external_wiki:
      has('repo.ext_wiki') && row.external_wiki_url !== null
        ? { external_wiki_url: row.external_wiki_url }
        : undefined,
    wiki_branch: row.wiki_branch === '' ? undefined : row.wiki_branch,
    globally_editable_wiki: row.globally_editable_wiki,
    has_pull_requests: pulls,
    has_projects: has('repo.projects'),
    has_releases: has('repo.releases'),
    has_packages: has('repo.packages'),
    has_actions: has('repo.actions'),
    ignore_whitespace_conflicts: pulls && row.ignore_whitespace_conflicts,
    allow_merge_commits: pulls && row.allow_merge_commits,
    allow_rebase: pulls && row.allow_rebase,
    allow_rebase_explicit: pulls && row.allow_rebase_explicit,
    allow_squash_merge: pulls && row.allow_squash_merge,
    allow_fast_forward_only_merge: pulls && row.allow_fast_forward_only_merge,
    allow_rebase_update: pulls && row.allow_rebase_update,
    default_delete_branch_after_merge: pulls && row.default_delete_branch_after_merge,
    default_merge_style: pulls ? row.default_merge_style : 'merge',
    default_allow_maintainer_edit: pulls && row.default_allow_maintainer_edit,
    avatar_url: '',
    internal: !row.is_private && row.owner.visibility === 'private',
    mirror_interval: row.mirror ? durationText(row.mirror.intervalSeconds) : '',
    mirror_updated: row.mirrored_at ? timeText(row.mirrored_at) : NO_TIME,
    object_format_name: row.object_format,
    repo_transfer: transfer,
    topics: [...row.topics],
  };
}

const permissionsOf = ({ viewer_rank, viewer_code_rank }: RepositoryRow) => ({
  admin: viewer_rank >= rankOf('admin'),
  push: viewer_code_rank >= rankOf('write'),
  pull: viewer_code_rank >= rankOf('read'),
});

const presentInternalTracker = (tracker: RepositoryRow['internal_tracker']) => ({
  enable_time_tracker: tracker.enableTimeTracker,
  allow_only_contributors_to_track_time: tracker.allowOnlyContributorsToTrackTime,
  enable_issue_dependencies: tracker.enableIssueDependencies,
});

const presentExternalTracker = (tracker: RepositoryRow['external_tracker']) =>
  tracker
    ? {
        external_tracker_url: tracker.url,
        external_tracker_format: tracker.format,
        external_tracker_style: tracker.style,
        external_tracker_regexp_pattern: tracker.regexpPattern,
      }
    : undefined;
