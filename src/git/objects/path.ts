/** Characters that some file systems do not see, so that `.g\u200cit` is `.git` there. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether a name is `.git` on some file system: in other letters, with characters that are not seen, with dots and
 * spaces at its end, as a stream of NTFS, or by its short name.
 */
function isDotGit(name: string): boolean {
  const folded = name.normalize('NFKC').replace(UNSEEN, '').toLowerCase().replaceAll('ı', 'i');
  return /^(\.git|git~\d+)[. ]*(:.*)?$/s.test(folded);
}

/** Whether a path can be in a tree: names with single slashes between, none of which means something else. */
export function isTreePath(path: string): boolean {
  if (path.length > 4096 || /[\0\\]|\p{Surrogate}/u.test(path)) return false;
  return path
    .split('/')
    .every(
      (name) =>
        name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255 && !isDotGit(name),
    );
}
