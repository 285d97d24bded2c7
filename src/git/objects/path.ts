/** Characters that some file systems do not see, so that `.g\u200cit` is `.git` there. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether a name is `.git` on some file system: in other letters, with characters that are not seen, with dots and
 * spaces at its end, as a stream of NTFS, or by its short name.
 */
const isDotGit = (name: string): boolean => /^(\.git|git~\d+)[. ]*(:.*)?$/s.test(folded(name));

/** Whether a file is one that git itself reads, and must not follow elsewhere, on some file system. */
export const isGitsOwnFile = (name: string): boolean =>
  /^(\.git(modules|attributes|ignore)|gi[a-z\d]{4}~\d)/.test(folded(name));

/** What names that are the same on some file system have in common. */
const folded = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').toLowerCase().replaceAll('ı', 'i');

/** Whether something may be asked for by a path: names with single slashes between, none of which means something else. */
export function isReadablePath(path: string): boolean {
  if (path.length > 4096 || /\0|\p{Surrogate}/u.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !isDotGit(name));
}

/** Whether something may be written to a path: what some file system would take for something else may not. */
export const isTreePath = (path: string): boolean =>
  isReadablePath(path) &&
  !path.includes('\\') &&
  path.split('/').every((name) => Buffer.byteLength(name) <= 255);
