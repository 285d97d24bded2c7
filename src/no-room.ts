/** Of Node.js and PostgreSQL: no room on the disk, or too many files open. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', '53100'];
/** The same, of git and libgit2, which have no code for it. */
const WORDS = /No space left on device|Disk quota exceeded|Too many open files/;
/** What nodegit says where libgit2 tells no reason, as when the disk took only a part of a large object. */
const CUT_SHORT = /^Method (?:createFromBuffer|write) has thrown an error\.$/;

/** Whether something failed because the disk is full, or too many files are open: somebody will make room. */
export const lacksRoom = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && CODES.includes(error.code)) ||
    WORDS.test(error.message) ||
    CUT_SHORT.test(error.message));
