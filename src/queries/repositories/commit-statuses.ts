import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import type { CommitState } from '../../domain/repositories/commit-statuses.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** One report about a commit. A later one of the same context leaves it as it is, and counts in its place. */
export interface CommitStatusRow {
  readonly repository_id: number;
  /** The whole hash of the commit. */
  readonly sha: string;
  /** From 1 within the commit. */
  readonly id: number;
  readonly state: CommitState;
  readonly context: string;
  readonly description: string;
  readonly target_url: string;
  readonly creator_id: number;
  readonly created_at: Date;
}

/** The statuses of one commit; `state` null for all. */
export interface CommitStatusesAsked {
  readonly repositoryId: number;
  readonly sha: string;
  readonly state: CommitState | null;
}

/** Every report about a commit, also those whose context has a newer one; the newest first unless asked otherwise. */
export const listCommitStatuses = (
  db: Queryable,
  { repositoryId, sha, state }: CommitStatusesAsked,
  oldestFirst: boolean,
  { limit, offset }: PageRequest,
): Promise<CommitStatusRow[]> =>
  db.rows<CommitStatusRow>(sql`
    select * from commit_statuses
    where repository_id = ${repositoryId} and sha = ${sha} and (${state}::text is null or state = ${state})
    order by case when ${oldestFirst} then id else -id end limit ${limit} offset ${offset}`);

/** How many reports `listCommitStatuses` has for what is asked, over all pages. */
export const countCommitStatuses = (
  db: Queryable,
  { repositoryId, sha, state }: CommitStatusesAsked,
): Promise<number> =>
  count(
    db,
    fragment`from commit_statuses
      where repository_id = ${repositoryId} and sha = ${sha} and (${state}::text is null or state = ${state})`,
  );

/** The newest of each context, newest first. */
export const listLatestStatuses = (
  db: Queryable,
  repositoryId: number,
  sha: string,
  { limit, offset }: PageRequest,
): Promise<CommitStatusRow[]> =>
  db.rows<CommitStatusRow>(sql`
    select * from (
      select distinct on (context) * from commit_statuses
      where repository_id = ${repositoryId} and sha = ${sha} order by context, id desc
    ) latest order by id desc limit ${limit} offset ${offset}`);

/** How many contexts reported about a commit, and which states theirs are by now. */
export async function summaryOfStatuses(
  db: Queryable,
  repositoryId: number,
  sha: string,
): Promise<{ readonly contexts: number; readonly states: readonly CommitState[] }> {
  const [row] = await db.rows<{ contexts: number; states: CommitState[] }>(sql`
    select count(*) as contexts, coalesce(array_agg(distinct state), '{}') as states from (
      select distinct on (context) state from commit_statuses
      where repository_id = ${repositoryId} and sha = ${sha} order by context, id desc
    ) latest`);
  return row ?? { contexts: 0, states: [] };
}

/** What read models know of a text that may name a commit: where a branch or a tag of that name points to. */
export interface KnownRevision {
  readonly branch: string | null;
  readonly tag: string | null;
  /** It is the whole hash of a commit that something was reported about. */
  readonly is_commit: boolean;
}

/** What a revision names: a branch, a tag, a commit that has statuses, or nothing of these. */
export async function findRevision(
  db: Queryable,
  repositoryId: number,
  revision: string,
): Promise<KnownRevision> {
  const [row] = await db.rows<KnownRevision>(sql`
    select
      (select hash from refs where repository_id = ${repositoryId} and name = ${`refs/heads/${revision}`}) as branch,
      (select hash from refs where repository_id = ${repositoryId} and name = ${`refs/tags/${revision}`}) as tag,
      exists (select from commit_statuses where repository_id = ${repositoryId} and sha = ${revision}) as is_commit`);
  return row ?? { branch: null, tag: null, is_commit: false };
}
