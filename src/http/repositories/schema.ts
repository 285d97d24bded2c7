import { z } from 'zod';
import { User } from '../accounts/schema.js';
import { Team } from '../organizations/schema.js';
import { atMost, optional, orNothing, requiredText, shownTime } from '../schema.js';

export const RepositoryParams = z.object({ owner: z.string(), repo: z.string() });

/** The domain checks names; the modules of the templates check which ones exist. */
export const CreateRepositoryBody = z
  .object({
    name: requiredText,
    description: optional(atMost(2048)),
    private: optional(z.boolean()),
    auto_init: optional(z.boolean()),
    default_branch: orNothing(z.string()),
    readme: optional(z.string()),
    gitignores: optional(z.string()),
    license: optional(z.string()),
    issue_labels: optional(z.string()),
    template: optional(z.boolean()),
    trust_model: optional(z.string()),
    object_format_name: orNothing(z.string()),
  })
  .meta({ id: 'CreateRepoOption' });

const RepositoryTransfer = z
  .object({ doer: User, recipient: User, teams: z.array(Team) })
  .meta({ id: 'RepoTransfer' });

export const Repository = z
  .object({
    id: z.int(),
    owner: User,
    name: z.string(),
    full_name: z.string(),
    description: z.string(),
    empty: z.boolean(),
    private: z.boolean(),
    fork: z.boolean(),
    template: z.boolean(),
    get parent() {
      return Repository.nullable();
    },
    mirror: z.boolean(),
    size: z.int(),
    language: z.string(),
    languages_url: z.string(),
    html_url: z.string(),
    url: z.string(),
    link: z.string(),
    ssh_url: z.string(),
    clone_url: z.string(),
    original_url: z.string(),
    website: z.string(),
    stars_count: z.int(),
    forks_count: z.int(),
    watchers_count: z.int(),
    open_issues_count: z.int(),
    open_pr_counter: z.int(),
    release_counter: z.int(),
    default_branch: z.string(),
    archived: z.boolean(),
    created_at: shownTime,
    updated_at: shownTime,
    archived_at: shownTime,
    permissions: z.object({ admin: z.boolean(), push: z.boolean(), pull: z.boolean() }),
    has_code: z.boolean(),
    has_issues: z.boolean(),
    internal_tracker: z
      .object({
        enable_time_tracker: z.boolean(),
        allow_only_contributors_to_track_time: z.boolean(),
        enable_issue_dependencies: z.boolean(),
      })
      .optional(),
    external_tracker: z
      .object({
        external_tracker_url: z.string(),
        external_tracker_format: z.string(),
        external_tracker_style: z.string(),
        external_tracker_regexp_pattern: z.string(),
      })
      .optional(),
    has_wiki: z.boolean(),
    external_wiki: z.object({ external_wiki_url: z.string() }).optional(),
    wiki_branch: z.string().optional(),
    globally_editable_wiki: z.boolean(),
    has_pull_requests: z.boolean(),
    has_projects: z.boolean(),
    has_releases: z.boolean(),
    has_packages: z.boolean(),
    has_actions: z.boolean(),
    ignore_whitespace_conflicts: z.boolean(),
    allow_merge_commits: z.boolean(),
    allow_rebase: z.boolean(),
    allow_rebase_explicit: z.boolean(),
    allow_squash_merge: z.boolean(),
    allow_fast_forward_only_merge: z.boolean(),
    allow_rebase_update: z.boolean(),
    default_delete_branch_after_merge: z.boolean(),
    default_merge_style: z.string(),
    default_allow_maintainer_edit: z.boolean(),
    avatar_url: z.string(),
    internal: z.boolean(),
    mirror_interval: z.string(),
    mirror_updated: shownTime,
    object_format_name: z.string(),
    repo_transfer: RepositoryTransfer.nullable(),
    topics: z.array(z.string()),
  })
  .meta({ id: 'Repository' });
