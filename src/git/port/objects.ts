import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';

/** The author, committer or tagger of an object, and the time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** RFC 3339 in whole seconds, with the offset of that person's clock: `2026-01-31T12:00:00+02:00`, or `Z`. */
  readonly at: string;
}

/** A cryptographic signature, and the bytes that it signs. */
export interface Signed {
  readonly signature: string;
  readonly payload: string;
  /** The signed bytes in base64, if they are no UTF-8; `payload` then has U+FFFD in their place. */
  readonly bytes?: string;
}

/** The content of a commit. */
export interface CommitFacts {
  readonly hash: Hash;
  readonly tree: Hash;
  readonly parents: readonly Hash[];
  readonly author: Signature;
  readonly committer: Signature;
  /** The whole message, unchanged. */
  readonly message: string;
  readonly signed?: Signed;
}

/** An annotated tag. */
export interface TagFacts {
  readonly hash: Hash;
  readonly name: string;
  readonly message: string;
  /** Absent in very old tags. */
  readonly tagger?: Signature;
  readonly object: { readonly type: ObjectType; readonly hash: Hash };
  readonly signed?: Signed;
}

/** The type of an object. A `tag` is an annotated one; lightweight tags are refs, not objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** The mode of a directory, file, executable file, symbolic link, or submodule, in this order. */
export type Mode = '040000' | '100644' | '100755' | '120000' | '160000';

/** An entry of a tree. The commit of a submodule is in another repository. */
export interface TreeEntry {
  /** The path from the root of the queried tree; bytes that are no UTF-8 show as U+FFFD. */
  readonly path: string;
  readonly mode: Mode;
  /** `commit` is a submodule. */
  readonly type: 'blob' | 'tree' | 'commit';
  readonly hash: Hash;
  /** The size in bytes; null except for blobs. */
  readonly size: number | null;
}

/** A page of a tree. `hash` is that of the tree itself, even if a commit or a tag was asked for. */
export interface Tree {
  readonly hash: Hash;
  /** The entries, in git's order. */
  readonly entries: readonly TreeEntry[];
  /** The number of all entries, not only those of the page. */
  readonly total: number;
}

/** Which entries of a tree to list; by default all of the tree itself, without those of its directories. */
export interface TreeOptions {
  /** Whether to list the entries of directories too, besides the directories themselves. */
  readonly recursive?: boolean;
  readonly offset?: number;
  /** No limit by default, which is only for trees that are known to be small. */
  readonly limit?: number;
  /** How large the page may be with its paths, 64 MiB by default. One that is larger is refused with `GitLimitExceeded`. */
  readonly maxBytes?: number;
}

/** Which files of a commit to list. */
export interface FilesOptions {
  readonly wanted: (path: string) => boolean;
  readonly limit: number;
}

/** A file and its size in bytes. */
export interface FileSize {
  readonly path: string;
  readonly size: number;
}

/** A blob with its size in bytes, and its content unless that is too large. */
export interface Blob {
  readonly hash: Hash;
  readonly size: number;
  /** Undefined if the blob is larger than the caller's limit. */
  readonly content: Buffer | undefined;
}

/**
 * Reads objects by their hash. An object that is missing, or of another type, is undefined. Commits and tags that are too
 * large, each or together, are refused with `GitLimitExceeded`.
 */
export interface Objects {
  commit(id: number, hash: Hash): Promise<CommitFacts | undefined>;
  /** Returns the commits with these hashes, in the same order; missing ones are left out. */
  commits(id: number, hashes: readonly Hash[]): Promise<CommitFacts[]>;
  /** Returns the annotated tags among these hashes, all read together. */
  tagObjects(id: number, hashes: readonly Hash[]): Promise<Map<Hash, TagFacts>>;
  /** Returns the commit that each tag leads to, also through other tags, by the tag's hash. Tags of no commit are absent. */
  peel(id: number, tags: readonly TagFacts[]): Promise<Map<Hash, Hash>>;
  /** Returns the types of those of these objects that exist. */
  types(id: number, hashes: readonly Hash[]): Promise<Map<Hash, ObjectType>>;
  /** Returns a page of the tree of a commit, of a tag, or of a tree itself. */
  tree(id: number, hash: Hash, options?: TreeOptions): Promise<Tree | undefined>;
  /**
   * Lists the regular files of a commit whose paths are wanted, among its first `limit` files and folders. Starts no program
   * if they are few, were all written by this server, and none is wanted.
   */
  files(id: number, commit: Hash, options: FilesOptions): Promise<FileSize[] | undefined>;
  /** Returns the entry at a path of a commit; the root is the path ''. Undefined for invalid paths. */
  entry(id: number, commit: Hash, path: string): Promise<TreeEntry | undefined>;
  /** Returns the entries that exist at these paths of a commit, by path. The root is not supported. */
  entries(id: number, commit: Hash, paths: readonly string[]): Promise<Map<string, TreeEntry>>;
  blob(id: number, hash: Hash, maxBytes: number): Promise<Blob | undefined>;
  /** Returns the blobs among these, all read together: together with their contents they must fit into memory. */
  blobs(id: number, hashes: readonly Hash[], maxBytes: number): Promise<Map<Hash, Blob>>;
  /** Opens a blob of any size as a stream, which the caller must read or destroy. Each client may have some at a time. */
  blobStream(
    id: number,
    hash: Hash,
    client?: string,
  ): Promise<{ readonly size: number; readonly stream: Readable } | undefined>;
}
