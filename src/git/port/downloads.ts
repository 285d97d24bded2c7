import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';

/** What git makes of a tree; a tar is compressed by git itself. Bundles are no archives: see `bundle`. */
export type ArchiveFormat = 'zip' | 'tar.gz';

/** Files made of a commit; the same bytes each time. The streams end early only by an error. */
export interface Downloads {
  /** The tree of a commit below one folder, `prefix`. */
  archive(id: number, commit: Hash, format: ArchiveFormat, prefix: string): Promise<Readable>;
  /** All that a commit reaches, as a bundle whose HEAD and branch `branch` it is. */
  bundle(id: number, commit: Hash, branch: string): Promise<Readable>;
}
