/** Codes of Node.js and PostgreSQL for a full disk or too many open files. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', '53100'];
/** The same in messages of git and libgit2, which have no code for it. */
const WORDS = /No space left on device|Disk quota exceeded|Too many open files/;
/** nodegit's message where libgit2 gives no reason, for example when the disk took only part of a large object. */
const CUT_SHORT = /^Method (?:createFromBuffer|write) has thrown an error\.$/;

/** Tells whether something failed because the disk is full or too many files are open, which may pass. */
export const lacksRoom = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && CODES.includes(error.code)) ||
    WORDS.test(error.message) ||
    CUT_SHORT.test(error.message));
