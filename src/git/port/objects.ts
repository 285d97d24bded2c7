import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';

/** Who made something, and when. */
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
  /** In base64, what was signed, where that is no UTF-8: `payload` shows U+FFFD for some of it then. */
  readonly bytes?: string;
}

/** What a commit says of itself. */
export interface CommitFacts {
  readonly hash: Hash;
  readonly tree: Hash;
  readonly parents: readonly Hash[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Whole, as it was written. */
  readonly message: string;
  readonly signed?: Signed;
}

/** An annotated tag. */
export interface TagFacts {
  readonly hash: Hash;
  readonly name: string;
  readonly message: string;
  /** Tags of old have none. */
  readonly tagger?: Signature;
  readonly object: { readonly type: ObjectType; readonly hash: Hash };
  readonly signed?: Signed;
}

/** What git stores under a hash. A `tag` is an annotated one: others are refs and no objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** Directory, file, executable file, symbolic link, submodule. */
export type Mode = '040000' | '100644' | '100755' | '120000' | '160000';

/** What lies at a path of a tree; the commit of a submodule is in another repository. */
export interface TreeEntry {
  /** From the root of what was asked for; bytes that are no UTF-8 show as U+FFFD. */
  readonly path: string;
  readonly mode: Mode;
  /** `commit` is a submodule. */
  readonly type: 'blob' | 'tree' | 'commit';
  readonly hash: Hash;
  /** Bytes; null but for blobs. */
  readonly size: number | null;
}

/** A page of a tree. `hash` is that of the tree itself, even where a commit or a tag was asked for. */
export interface Tree {
  readonly hash: Hash;
  /** In the order of git. */
  readonly entries: readonly TreeEntry[];
  /** Of all entries, on every page. */
  readonly total: number;
}

/** Which entries of a tree are asked for: those of the tree alone, from the first, where nothing else is said. */
export interface TreeOptions {
  /** Directories are followed, and listed as well. */
  readonly recursive?: boolean;
  readonly offset?: number;
  /** Everything without, which is for those who know that it is little. */
  readonly limit?: number;
}

/** Which files of a commit are asked for. */
export interface FilesOptions {
  readonly wanted: (path: string) => boolean;
  readonly limit: number;
}

/** A file, and how many bytes it has. */
export interface FileSize {
  readonly path: string;
  readonly size: number;
}

/** A blob with its bytes, all or none; `size` is how many it has either way. */
export interface Blob {
  readonly hash: Hash;
  readonly size: number;
  /** Undefined where the blob has more bytes than asked for. */
  readonly content: Buffer | undefined;
}

/**
 * Objects by their hash. An object that is missing, or of another type, is undefined. Commits and tags that are too large,
 * each or together, are refused with `GitLimitExceeded`.
 */
export interface Objects {
  commit(id: number, hash: Hash): Promise<CommitFacts | undefined>;
  /** The commits of these hashes that there are, in the order given. */
  commits(id: number, hashes: readonly Hash[]): Promise<CommitFacts[]>;
  /** The annotated tags among these hashes, which git is asked for together. */
  tagObjects(id: number, hashes: readonly Hash[]): Promise<Map<Hash, TagFacts>>;
  /** The commit that each of these tags leads to, by its hash, if need be by other tags; without those that lead to none. */
  peel(id: number, tags: readonly TagFacts[]): Promise<Map<Hash, Hash>>;
  /** The type of each of these objects, where it exists. */
  types(id: number, hashes: readonly Hash[]): Promise<Map<Hash, ObjectType>>;
  /** The tree of a commit or of a tag, or a tree itself. */
  tree(id: number, hash: Hash, options?: TreeOptions): Promise<Tree | undefined>;
  /**
   * The regular files of a commit, as far as their paths are wanted, among its first `limit` files and folders. Where
   * they are few, all written here and none wanted, no program is started.
   */
  files(id: number, commit: Hash, options: FilesOptions): Promise<FileSize[] | undefined>;
  /** What lies at a path of a commit; the root is the path ''. Paths that cannot be are absent. */
  entry(id: number, commit: Hash, path: string): Promise<TreeEntry | undefined>;
  /** What lies at each of these paths of a commit, by path, where something does; none of them is the root. */
  entries(id: number, commit: Hash, paths: readonly string[]): Promise<Map<string, TreeEntry>>;
  blob(id: number, hash: Hash, maxBytes: number): Promise<Blob | undefined>;
  /** As `blob`, however large; whoever takes the stream reads or destroys it. */
  blobStream(
    id: number,
    hash: Hash,
  ): Promise<{ readonly size: number; readonly stream: Readable } | undefined>;
}
