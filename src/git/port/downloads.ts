import type { Readable } from 'node:stream';
import type { Hash } from './hash.js';

/** The formats of archives of a tree. Bundles are no archives: see `bundle`. */
export type ArchiveFormat = 'zip' | 'tar.gz';

/** Downloads made from a commit. A stream that is cut short fails with an error. */
export interface Downloads {
  /** Makes an archive of a commit's tree, in a folder `prefix`; the same bytes each time. */
  archive(id: number, commit: Hash, format: ArchiveFormat, prefix: string): Promise<Readable>;
  /**
   * Makes a bundle of all that a commit reaches, which is its HEAD and its branch `branch`; the same bytes until the
   * repository is packed anew.
   */
  bundle(id: number, commit: Hash, branch: string): Promise<Readable>;
}
