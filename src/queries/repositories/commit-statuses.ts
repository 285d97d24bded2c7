import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import type { CommitState } from '../../domain/repositories/commit-statuses.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** One status of a commit. A later one of the same context replaces it as the latest, but both remain. */
export interface CommitStatusRow {
  readonly repository_id: number;
  /** The whole hash of the commit. */
  readonly sha: string;
  /** Counted from 1 for each commit. */
  readonly id: number;
  readonly state: CommitState;
  readonly context: string;
  readonly description: string;
  readonly target_url: string;
  readonly creator_id: number;
  readonly created_at: Date;
}

/** The statuses to list, of one commit. `state` is null for all states. */
export interface CommitStatusesAsked {
  readonly repositoryId: number;
  readonly sha: string;
  readonly state: CommitState | null;
}

const matching = ({ repositoryId, sha, state }: CommitStatusesAsked) =>
  allOf(
    fragment`repository_id = ${repositoryId} and sha = ${sha}`,
    where(state, (wanted) => fragment`state = ${wanted}`),
  );

/** Lists all statuses of a commit, not only the latest of each context; newest first unless `oldestFirst`. */
export const listCommitStatuses = (
  db: Queryable,
  asked: CommitStatusesAsked,
  oldestFirst: boolean,
  { limit, offset }: PageRequest,
): Promise<CommitStatusRow[]> =>
  db.rows<CommitStatusRow>(sql`
    select * from commit_statuses where ${matching(asked)}
    order by case when ${oldestFirst} then id else -id end limit ${limit} offset ${offset}`);

/** Counts the statuses that `listCommitStatuses` lists over all pages. */
export const countCommitStatuses = (db: Queryable, asked: CommitStatusesAsked): Promise<number> =>
  count(db, fragment`from commit_statuses where ${matching(asked)}`);

/** Lists the latest status of each context, newest first. */
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

/** Returns how many contexts a commit has statuses of, and which states their latest ones have. */
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

/** What read models know about a text that may name a commit: the hashes of the branch and of the tag of that name. */
export interface KnownRevision {
  readonly branch: string | null;
  readonly tag: string | null;
  /** Whether the text is the whole hash of a commit that has statuses. */
  readonly is_commit: boolean;
}

/** Finds what a revision names: a branch, a tag, a commit that has statuses, or none of these. */
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
