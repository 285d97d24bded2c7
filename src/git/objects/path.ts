/** Characters that some file systems ignore, so that `.g\u200cit` is `.git` there. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Tells whether a name means `.git` on some file system: in upper case, with ignored characters, with trailing dots and
 * spaces, as an NTFS stream, or as its short name.
 */
const isDotGit = (name: string): boolean => /^(\.git|git~\d+)[. ]*(:.*)?$/s.test(folded(name));

/** Tells whether, on some file system, a name is that of a file which git itself reads, and which must not be a link. */
export const isGitsOwnFile = (name: string): boolean =>
  /^(\.git(modules|attributes|ignore)|gi[a-z\d]{4}~\d)/.test(folded(name));

/** Folds a name so that names which are the same on some file system become equal. */
const folded = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').toLowerCase().replaceAll('ı', 'i');

/** Tells whether a path may be read: names separated by single slashes, none with a special meaning such as `..`. */
export function isReadablePath(path: string): boolean {
  if (path.length > 4096 || /\0|\p{Surrogate}/u.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/** Tells whether a path may be written: it must be readable, mean the same on every file system, and `.git` on none. */
export const isTreePath = (path: string): boolean =>
  isReadablePath(path) &&
  !path.includes('\\') &&
  path.split('/').every((name) => Buffer.byteLength(name) <= 255 && !isDotGit(name));
