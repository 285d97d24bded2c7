import type { Hash } from './hash.js';
import type { Staging } from './staging.js';

/** How another server is reached and how much it may send; git connects to it directly where there is no `proxy`. */
export interface RemoteOptions {
  /** A proxy of ours, `http://127.0.0.1:port`, through which alone git reaches the network. */
  readonly proxy?: string;
  /** Sent to the server and kept nowhere. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Lets `http:` in beside `https:`. */
  readonly allowHttp?: boolean;
  /** Refs by other names are left where they are; one that is no UTF-8 shows with U+FFFD. Everything is taken without. */
  readonly accepts?: (ref: string) => boolean;
  readonly signal?: AbortSignal;
  /** Told now and then how many bytes have arrived. */
  readonly onProgress?: (bytes: bigint) => void;
  /** More than these are refused with `GitLimitExceeded`. */
  readonly maxBytes?: bigint;
  /** More branches and tags than these are refused so too. */
  readonly maxRefs?: number;
  /** Ten minutes without. */
  readonly timeoutMs?: number;
}

/** What another server has: its branches and tags, and the branch that its HEAD names. */
export interface RemoteRefs {
  readonly refs: ReadonlyMap<string, Hash>;
  readonly defaultBranch?: string;
}

/** Whole repositories that come from elsewhere. What was begun is gone again when one of these rejects. */
export interface Copies {
  /** A full copy, branches and tags, with no tie to the base. Gives the refs of the copy. */
  fork(from: number, to: number): Promise<RemoteRefs>;
  /**
   * A new repository with the branches and tags of another server. Refuses with `GitRemoteRefused` where there is
   * no repository, it wants other credentials, redirects, or has broken objects.
   */
  mirrorClone(url: string, to: number, options?: RemoteOptions): Promise<RemoteRefs>;
  /** Stages what another server has and we have not. Nothing moves before it is published and the refs are updated. */
  fetchMirror(
    id: number,
    url: string,
    options?: RemoteOptions,
  ): Promise<RemoteRefs & { readonly staging: Staging }>;
}
