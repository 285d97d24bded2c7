import type { Hash } from './hash.js';
import type { Staging } from './staging.js';

/** How a remote is asked, and what is taken from it. The caller must limit bytes and time, through `signal`. */
export interface RemoteOptions {
  /** The credentials for the remote; they are not stored. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Tells whether to take a ref of this name, in which bytes that are no UTF-8 show as U+FFFD. By default all are taken. */
  readonly accepts?: (ref: string) => boolean;
  readonly signal?: AbortSignal;
  /** The maximum number of branches and tags; more are refused with `GitLimitExceeded`. */
  readonly maxRefs?: number;
}

/** The branches and tags of a remote, and the branch that its HEAD names. */
export interface RemoteRefs {
  readonly refs: ReadonlyMap<string, Hash>;
  readonly defaultBranch?: string;
}

/** Copies of whole repositories. If one of these methods rejects, it leaves nothing behind. */
export interface Copies {
  /** Makes a full copy with branches and tags, independent of the base. Resolves with the refs of the copy. */
  fork(from: number, to: number): Promise<RemoteRefs>;
  /**
   * Creates a repository with the branches and tags of a remote. Rejects with `GitRemoteRefused` if the remote has no such
   * repository, wants other credentials, redirects, or has broken objects.
   */
  mirrorClone(url: string, to: number, options?: RemoteOptions): Promise<RemoteRefs>;
  /** Stages the objects that a remote has and we lack. The caller has to publish them and to update the refs. */
  fetchMirror(
    id: number,
    url: string,
    options?: RemoteOptions,
  ): Promise<RemoteRefs & { readonly staging: Staging }>;
}
