/** Of Node.js and PostgreSQL: no room on the disk, or too many files open. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', '53100'];
/** The same, of git and libgit2, which have no code for it. */
const WORDS = /No space left on device|Disk quota exceeded|Too many open files/;

/** Whether something failed because the disk is full, or too many files are open: somebody will make room. */
export const lacksRoom = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && CODES.includes(error.code)) || WORDS.test(error.message));
