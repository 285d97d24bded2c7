import type { Hash } from './hash.js';
import type { CommitFacts, Mode, ObjectType, Signature } from './objects.js';

/** A change of a tree. Changes apply in order; a directory is removed with its last file. */
export type TreeChange =
  | {
      readonly kind: 'put';
      /** The path, without leading and trailing slashes. */
      readonly path: string;
      readonly mode: Exclude<Mode, '040000'>;
      readonly hash: Hash;
    }
  | { readonly kind: 'remove'; readonly path: string };

/** A commit to be written. Whether its tree and parents exist is not checked. */
export interface NewCommit {
  readonly tree: Hash;
  readonly parents: readonly Hash[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** An annotated tag to be written. This writes only the object; the caller has to create the ref. */
export interface NewTag {
  readonly name: string;
  readonly object: { readonly type: ObjectType; readonly hash: Hash };
  readonly tagger: Signature;
  readonly message: string;
}

/** Writes objects. */
export interface ObjectWriter {
  writeBlob(content: Uint8Array): Promise<Hash>;
  /**
   * Writes the tree that results from changes to a base (by default an empty tree). Rejects with `GitPathRefused` for an
   * invalid path (`..`, `.git` in any disguise, a parent that is no directory, a file where there is a directory), for the
   * removal of a missing file, and for a file that git itself reads, such as `.gitmodules`, with content that git refuses;
   * with `GitLimitExceeded` if a directory that it edits has about a million names or more.
   */
  writeTree(base: Hash | undefined, changes: readonly TreeChange[]): Promise<Hash>;
  /** Writes a commit; resolves with the same as reading it would. */
  writeCommit(commit: NewCommit): Promise<CommitFacts>;
  writeTag(tag: NewTag): Promise<Hash>;
  /** Copies a tree of another repository, of any size, with everything in it. */
  copyTree(from: number, tree: Hash): Promise<void>;
}

/** A staging area: objects are written and counted outside the repository, so that quota can refuse them without a trace. */
export interface Staging extends ObjectWriter {
  /** The path of a bare repository that also sees the objects of the real one; git programs may work in it. */
  readonly path: string;
  /** Returns by how many bytes the repository grows when this is published. */
  bytes(): Promise<bigint>;
  /** Moves the objects into the repository, durably, and ends this staging. Refs are left to the caller. */
  publish(): Promise<void>;
  /** Drops everything. Does nothing after `publish`, so that it can be called in a `finally`. */
  discard(): Promise<void>;
}
