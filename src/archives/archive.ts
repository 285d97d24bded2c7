import { createHash } from 'node:crypto';
import type { Hash } from '../git/port/hash.js';

const archiveFormats = ['tar.gz', 'zip', 'bundle'] as const;
/** The formats of archives, by file name extension: of a commit's tree, or a bundle of all that the commit reaches. */
export type ArchiveFormat = (typeof archiveFormats)[number];

/** Everything that the bytes of an archive depend on. */
export interface ArchiveKey {
  readonly repositoryId: number;
  readonly commit: Hash;
  readonly format: ArchiveFormat;
  /** The top folder in the archive; for a bundle, the branch in it. */
  readonly root: string;
}

/** Returns the name of an archive's file in the cache, which is unique to its bytes. */
export function fileNameOf({ repositoryId, commit, format, root }: ArchiveKey): string {
  const tag = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return `${repositoryId}-${commit}-${tag}.${format}`;
}

/** Splits `v1/rc.tar.gz` into reference and format; undefined if the extension is unknown. */
export function parseArchiveName(name: string): { reference: string; format: ArchiveFormat } | undefined {
  const format = archiveFormats.find((known) => name.endsWith(`.${known}`));
  return format && { reference: name.slice(0, -format.length - 1), format };
}
