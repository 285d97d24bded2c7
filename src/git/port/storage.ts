import type { CommitFacts } from './objects.js';
import type { ObjectWriter } from './staging.js';

/** The initial content of a repository. If `initial` rejects, no repository is created. */
export interface CreateOptions {
  /** The branch that HEAD names, whether it exists or not. */
  readonly defaultBranch: string;
  /** Writes the first commit of the default branch, which otherwise does not exist yet. */
  readonly initial?: (objects: ObjectWriter) => Promise<CommitFacts>;
}

/** The storage of bare repositories below one folder, by id and never by name. */
export interface RepositoryStorage {
  /**
   * Creates a repository, atomically and durably, empty or with one commit, with which it resolves. Rejects with
   * `GitRepositoryExists` if there is one. Starts no program, so some hundred per second are possible.
   */
  create(id: number, options: CreateOptions): Promise<CommitFacts | undefined>;
  /** Removes a repository; does nothing if there is none. */
  remove(id: number): Promise<void>;
  exists(id: number): Promise<boolean>;
  /** Yields the ids of all repositories on disk, in no particular order. */
  ids(): AsyncIterable<number>;
  /** Removes temporary folders that crashes left over a day ago; returns how many. Safe in several processes at once. */
  sweep(): Promise<number>;
  /** Returns the absolute path of the repository's folder, whether it exists or not. */
  pathOf(id: number): string;
  /**
   * Returns the bytes of all regular files in its folder, which is what quota counts. Pushes still arriving and unfinished
   * files of `gc` are left out.
   */
  sizeOf(id: number): Promise<bigint>;
  /** Returns the branch that HEAD names, which may not exist; undefined if HEAD is detached or broken. */
  head(id: number): Promise<string | undefined>;
  /** Points HEAD to a branch, which need not exist. Durable when it resolves. */
  setHead(id: number, branch: string): Promise<void>;
  /**
   * Removes what a killed git or a power failure left and what blocks updates of refs: locks, and empty ref files. The
   * caller must ensure that nobody moves refs meanwhile.
   */
  mendRefs(id: number): Promise<void>;
  /** Tells whether there are so many loose objects or packs, or objects that a killed push left, that `gc` is worthwhile. */
  hasMuchGarbage(id: number): Promise<boolean>;
  /**
   * Packs all objects into one pack, and drops those unreachable for two weeks, counted from the first `gc` that found them
   * so; refs are left alone. The repository may be in use meanwhile; of two concurrent calls one does nothing.
   */
  gc(id: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Packs loose refs into one file. The caller must ensure that nobody moves refs meanwhile. */
  packRefs(id: number): Promise<void>;
}
