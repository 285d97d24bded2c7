import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';
import type { CommitFacts } from './objects.js';

/** A query for commits: those reachable from `from`, newest first, `limit` of them after the first `offset`. */
export interface HistoryQuery {
  readonly from: Hash;
  /** Commits reachable from these are left out. */
  readonly not?: readonly Hash[];
  /** Restricts the query to commits that changed this file or directory. */
  readonly path?: string;
  readonly offset: number;
  readonly limit: number;
}

/** A file that a commit changed. A renamed file counts as removed at its old path and added at the new one. */
export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'modified';
  /** The number of lines; 0 for binary files, and for large ones if git cannot compare the commit otherwise. */
  readonly additions: number;
  readonly deletions: number;
}

/** What a commit changed relative to its first parent, or to an empty tree. */
export interface Changes {
  /** The first 3,000 files, by path; at most a megabyte of paths. */
  readonly files: readonly ChangedFile[];
  /** The number of changed files, listed or not. */
  readonly total: number;
  /** The number of lines, in all files. */
  readonly additions: number;
  readonly deletions: number;
}

/** Queries about the history of commits. They reject with `GitLimitExceeded` if they take too long. */
export interface History {
  /** Returns a page of commits, newest first. `total` is the number of all that match. */
  history(
    id: number,
    query: HistoryQuery,
  ): Promise<{ readonly commits: readonly CommitFacts[]; readonly total: number }>;
  /**
   * Returns the commits reachable from `after` but not from `before` (one, several, or none): their number, and the newest
   * `limit` of them, newest first. `signal` ends the search.
   */
  newCommits(
    id: number,
    before: Hash | readonly Hash[] | null,
    after: Hash,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ readonly hashes: readonly Hash[]; readonly count: number }>;
  /** Tells whether `ancestor` is `descendant` or reachable from it, so that a ref can move there without force. */
  isAncestor(id: number, ancestor: Hash, descendant: Hash): Promise<boolean>;
  /**
   * Finds the newest commit that changed each path among those reachable from a commit, as `git log -1` does. Paths that
   * are not found in time are absent.
   */
  lastCommits(id: number, commit: Hash, paths: readonly string[]): Promise<Map<string, Hash>>;
  /** Returns the times of commits (RFC 3339, UTC) by hash; missing ones are left out. However long they are, it takes little. */
  committedAt(id: number, commits: readonly Hash[]): Promise<Map<Hash, string>>;
  /** Returns what these commits changed; missing commits are left out. `signal` ends the comparison. */
  changedFiles(id: number, commits: readonly Hash[], signal?: AbortSignal): Promise<Map<Hash, Changes>>;
  /**
   * Returns the paths of the files that differ between two commits; all of `after` if `before` is undefined. They may be
   * millions: take them piece by piece, and only once.
   */
  changedPaths(id: number, before: Hash | undefined, after: Hash): Promise<Iterable<string>>;
  /**
   * Returns the change of a commit as a unified diff, or as mails for `git am`; for a merge, one mail for each commit that
   * it brought. Each client may have some at a time, and then waits.
   */
  diff(id: number, commit: Hash, format: 'diff' | 'patch', client?: string): Promise<Readable>;
}
