import type { CommitFacts } from './objects.js';
import type { ObjectWriter } from './staging.js';

/** What a repository begins with; where `initial` rejects, none is made. */
export interface CreateOptions {
  /** What HEAD names, born or not. */
  readonly defaultBranch: string;
  /** Makes the commit that the default branch begins with; a branch is unborn without. */
  readonly initial?: (objects: ObjectWriter) => Promise<CommitFacts>;
}

/** Where repositories lie: bare, by id and never by name, below one folder. */
export interface RepositoryStorage {
  /**
   * Makes a repository, empty or with one commit, which it resolves with: whole and durable then, not there at all when
   * it rejects. Refuses with `GitRepositoryExists` where there is one. Needs no program: some hundred a second are well.
   */
  create(id: number, options: CreateOptions): Promise<CommitFacts | undefined>;
  /** Takes a repository away whole; where there is none nothing happens. */
  remove(id: number): Promise<void>;
  exists(id: number): Promise<boolean>;
  /** Of all repositories on disk, in no order. */
  ids(): AsyncIterable<number>;
  /** Removes what crashes left aside more than a day ago; answers with how many. Other processes may do so as well. */
  sweep(): Promise<number>;
  /** The absolute path of its folder, whether it exists or not. */
  pathOf(id: number): string;
  /**
   * Bytes of all regular files in its folder, which is what quota counts; not of pushes that are still arriving, nor of
   * what `gc` has not finished.
   */
  sizeOf(id: number): Promise<bigint>;
  /** The branch that HEAD names, born or not; undefined where HEAD is detached or broken. */
  head(id: number): Promise<string | undefined>;
  /** Lets HEAD name a branch, which need not exist. Durable when it resolves. */
  setHead(id: number, branch: string): Promise<void>;
  /**
   * Removes what a killed git, or a machine that lost its power, left in the way of refs: locks, and files that name no
   * object. Only for who knows that nobody moves refs.
   */
  mendRefs(id: number): Promise<void>;
  /** Whether so much is loose, or in so many packs, that `gc` is worth its time. */
  hasMuchGarbage(id: number): Promise<boolean>;
  /**
   * Packs what is loose, and all packs into one, and drops what nothing has reached for two weeks, counted from the first
   * time that it met it so; refs stay as they are. Others may read and write meanwhile; of two at once one does nothing.
   */
  gc(id: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Moves refs that have files of their own into one. Nobody may move them meanwhile. */
  packRefs(id: number): Promise<void>;
}
