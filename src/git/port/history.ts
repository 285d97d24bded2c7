import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';
import type { CommitFacts } from './objects.js';

/** Which commits are asked for: those that `from` reaches, `limit` of them after the newest `offset`. */
export interface HistoryQuery {
  readonly from: Hash;
  /** What these reach is left out. */
  readonly not?: readonly Hash[];
  /** Only commits that changed something there, a file or a directory. */
  readonly path?: string;
  readonly offset: number;
  readonly limit: number;
}

/** A file that a commit changed, by its path; one that was renamed counts as removed there and added here. */
export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'modified';
  /** Lines; 0 for binary files. */
  readonly additions: number;
  readonly deletions: number;
}

/** What a commit changed against its first parent, or against nothing. */
export interface Changes {
  /** The first `limit` of them, by path; a megabyte of paths at most. */
  readonly files: readonly ChangedFile[];
  /** Files that changed, listed or not. */
  readonly total: number;
  /** Lines, of all files. */
  readonly additions: number;
  readonly deletions: number;
}

/** How commits follow from each other. What takes too long is refused with `GitLimitExceeded`. */
export interface History {
  /** Newest first. `total` counts all that match, on every page. */
  history(
    id: number,
    query: HistoryQuery,
  ): Promise<{ readonly commits: readonly CommitFacts[]; readonly total: number }>;
  /**
   * The commits that `after` reaches and `before` (one, several, or none) does not: how many, and the newest
   * `limit` of them, newest first.
   */
  newCommits(
    id: number,
    before: Hash | readonly Hash[] | null,
    after: Hash,
    limit: number,
  ): Promise<{ readonly hashes: readonly Hash[]; readonly count: number }>;
  /** Whether one is the other or reachable from it: a ref can then move from one to the other without force. */
  isAncestor(id: number, ancestor: Hash, descendant: Hash): Promise<boolean>;
  /**
   * The newest commit that changed each path, reachable from a commit, as `git log -1` finds it. A path that is not found
   * in time is absent.
   */
  lastCommits(id: number, commit: Hash, paths: readonly string[]): Promise<Map<string, Hash>>;
  /** What these commits changed, without those that are missing. `limit` is 3000 without. */
  changedFiles(
    id: number,
    commits: readonly Hash[],
    options?: { readonly limit?: number },
  ): Promise<Map<Hash, Changes>>;
  /**
   * The change of a commit as a unified diff, or as a mail that `git am` takes; a merge is a mail for each commit that it
   * brought.
   */
  diff(id: number, commit: Hash, format: 'diff' | 'patch'): Promise<Readable>;
}
