import type { Hash } from './hash.js';
import type { CommitFacts, Mode, ObjectType, Signature } from './objects.js';

/** What is to change in a tree. Changes apply in their order; a directory goes with its last file. */
export type TreeChange =
  | {
      readonly kind: 'put';
      /** Slashes between its parts, none around. */
      readonly path: string;
      readonly mode: Exclude<Mode, '040000'>;
      readonly hash: Hash;
    }
  | { readonly kind: 'remove'; readonly path: string };

/** A commit to be written, all of it given; nothing checks that its tree and parents are there. */
export interface NewCommit {
  readonly tree: Hash;
  readonly parents: readonly Hash[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** An annotated tag to be written, as an object alone: the ref of that name is another step. */
export interface NewTag {
  readonly name: string;
  readonly object: { readonly type: ObjectType; readonly hash: Hash };
  readonly tagger: Signature;
  readonly message: string;
}

/** Makes objects. */
export interface ObjectWriter {
  writeBlob(content: Uint8Array): Promise<Hash>;
  /**
   * The tree that comes of changes to another (none: an empty one). Refuses with `GitPathRefused` a path that cannot
   * be (`..`, `.git` in any disguise, a parent that is no directory, a file where there is a directory), a removal of
   * what is not there, and a file that git itself reads, such as `.gitmodules`, with what it takes from nobody.
   */
  writeTree(base: Hash | undefined, changes: readonly TreeChange[]): Promise<Hash>;
  /** What the commit says of itself then is what reading it would say. */
  writeCommit(commit: NewCommit): Promise<CommitFacts>;
  writeTag(tag: NewTag): Promise<Hash>;
  /** Brings in a tree of another repository with all that is in it, however much that is. */
  copyTree(from: number, tree: Hash): Promise<void>;
}

/** Objects on their way into a repository: made and counted aside, so that quota can refuse them without a trace. */
export interface Staging extends ObjectWriter {
  /** A bare repository that sees the objects of the real one beside its own; git programs may work in it. */
  readonly path: string;
  /** What the repository grows by when this is published. */
  bytes(): Promise<bigint>;
  /** Moves the objects in, durably; refs are another step. Ends this staging. */
  publish(): Promise<void>;
  /** Drops everything. After `publish` nothing happens, so that it fits a `finally`. */
  discard(): Promise<void>;
}
