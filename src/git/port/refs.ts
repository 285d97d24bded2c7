import type { Hash } from './hash.js';

/** A ref that is to move; `before` null says that there is none yet, `after` null that it goes. */
export interface RefChange {
  /** Full: `refs/heads/main`. */
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
}

/** Refs that are locked, checked and written beside; one of the two must be called, once. */
export interface PreparedRefs {
  /** Moves all of them. Durable when it resolves; what is prepared does not fail here but by a broken disk. */
  commit(): Promise<void>;
  /** Leaves everything as it was. */
  abort(): Promise<void>;
}

/** What a caller's words mean: a branch, a tag (peeled), or a hash. */
export interface Revision {
  /** Of the commit. */
  readonly hash: Hash;
  readonly kind: 'branch' | 'tag' | 'commit';
  /** Full name, for a branch or a tag. */
  readonly ref?: string;
}

/** Names of commits and other objects. */
export interface Refs {
  /** Every ref and the object that it names; an annotated tag names its tag object. */
  refs(id: number): Promise<Map<string, Hash>>;
  /**
   * Locks refs and checks that they are where `before` says, all or none. Refuses with `GitRefsRefused` where one
   * moved, cannot be named so, collides with another (`a` and `a/b`), or has no object; with `GitRefsBusy` where the
   * disk stands in the way for now. Some thousands are well.
   */
  prepareRefs(id: number, changes: readonly RefChange[]): Promise<PreparedRefs>;
  /** Bytes that moving refs adds to what `sizeOf` counts; where there are many of them, no fewer than these. */
  growth(id: number, changes: readonly RefChange[]): Promise<bigint>;
  /**
   * The commit that a branch, else a tag, else a full or unique short hash (4 digits or more) names. Exact names
   * only: no `~1`, no `@{…}`, no `refs/…`, and what begins with `-` is a name like any other.
   */
  resolve(id: number, revision: string): Promise<Revision | undefined>;
  /**
   * The commit that steps in git's words lead to from another: `~2`, `^2~1`, `^{commit}`, `^{}`. Undefined where there is
   * none, and for words of any other kind.
   */
  follow(id: number, from: Hash, steps: string): Promise<Hash | undefined>;
}
