import type { Hash } from './hash.js';

/** A change of a ref: `before` is null if it is to be created, `after` is null if it is to be deleted. */
export interface RefChange {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
}

/** A prepared transaction on refs, which are locked and checked. Exactly one of its methods must be called, once. */
export interface PreparedRefs {
  /**
   * Moves all of them; durable when it resolves. After the preparation only a broken disk can make it fail, or the removal
   * of the repository, as `GitRepositoryMissing`.
   */
  commit(): Promise<void>;
  /** Leaves everything as it was. */
  abort(): Promise<void>;
}

/** The commit that a caller's text denotes, as a branch, a tag (peeled), or a hash. */
export interface Revision {
  /** The hash of the commit. */
  readonly hash: Hash;
  readonly kind: 'branch' | 'tag' | 'commit';
  /** The full name of the ref, for a branch or a tag. */
  readonly ref?: string;
}

/** Reads and changes refs, and resolves names of commits. */
export interface Refs {
  /** Returns all refs with the objects they point to; an annotated tag points to its tag object. */
  refs(id: number): Promise<Map<string, Hash>>;
  /**
   * Locks refs and checks that they are at `before`, all or none. Rejects with `GitRefsRefused` if one has moved, has an
   * invalid name, collides with another that stays (`a` and `a/b`), or points to no object; with `GitRefsBusy` if a lock
   * or a full disk prevents it for now. Some thousands of changes are fine.
   */
  prepareRefs(id: number, changes: readonly RefChange[]): Promise<PreparedRefs>;
  /** Returns by how many bytes these changes increase `sizeOf`; for many changes this is an upper bound. */
  growth(id: number, changes: readonly RefChange[]): Promise<bigint>;
  /**
   * Resolves a text to a commit: as a branch, else as a tag, else as a full or unique short hash (4 digits or more). Only
   * exact names are supported: no `~1`, no `@{…}`, no `refs/…`; a text that begins with `-` is a name like any other.
   */
  resolve(id: number, revision: string): Promise<Revision | undefined>;
  /**
   * Follows steps in git's notation from a commit: `~2`, `^2~1`, `^{commit}`, `^{}`. Undefined if they lead to no commit,
   * and for any other notation.
   */
  follow(id: number, from: Hash, steps: string): Promise<Hash | undefined>;
}
