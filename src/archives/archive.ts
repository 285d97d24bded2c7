import { createHash } from 'node:crypto';
import type { Hash } from '../git/port/hash.js';

export const archiveFormats = ['tar.gz', 'zip', 'bundle'] as const;
/** What is made of a commit, by the ending of its name: its tree, or, as a bundle, all that it reaches. */
export type ArchiveFormat = (typeof archiveFormats)[number];

/** All that the bytes of an archive hang on. */
export interface ArchiveKey {
  readonly repositoryId: number;
  readonly commit: Hash;
  readonly format: ArchiveFormat;
  /** The folder that holds everything; of a bundle, the branch in it. */
  readonly root: string;
}

/** The name of its file in the cache, and what tells it from every other. */
export function fileNameOf({ repositoryId, commit, format, root }: ArchiveKey): string {
  const tag = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return `${repositoryId}-${commit}-${tag}.${format}`;
}

/** `v1/rc.tar.gz` → reference and format; undefined where it ends in no known way. */
export function parseArchiveName(name: string): { reference: string; format: ArchiveFormat } | undefined {
  const format = archiveFormats.find((known) => name.endsWith(`.${known}`));
  return format && { reference: name.slice(0, -format.length - 1), format };
}
