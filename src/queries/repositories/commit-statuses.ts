import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import type { CommitState } from '../../domain/repositories/commit-statuses.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { allOf, where } from '../conditions.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { findBranchOrTag } from './refs.js';

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
  part: PageRequest,
): Promise<Paged<CommitStatusRow>> =>
  paged(db, part, {
    columns: fragment`*`,
    from: fragment`from commit_statuses where ${matching(asked)}`,
    orderBy: fragment`case when ${oldestFirst} then id else -id end`,
  });

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

/**
 * Finds the commit that a revision names: the branch or else the tag of that name, or else the whole hash of a commit that
 * has statuses or that a branch or tag leads to. Undefined where the read models do not know: of other commits, of
 * abbreviated hashes, of tags whose events say no commit.
 */
export async function findKnownCommit(
  db: Queryable,
  repositoryId: number,
  revision: string,
): Promise<Hash | undefined> {
  const ref = await findBranchOrTag(db, repositoryId, revision);
  if (ref) return ref.commit_hash ?? undefined;
  const [row] = await db.rows<{ readonly known: boolean }>(sql`
    select exists (select from commit_statuses where repository_id = ${repositoryId} and sha = ${revision})
      or exists (select from refs where repository_id = ${repositoryId} and commit_hash = ${revision}) as known`);
  return row?.known ? revision : undefined;
}
