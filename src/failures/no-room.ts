/** Codes of Node.js and PostgreSQL for a full disk. */
const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100'];
/** Codes of Node.js for a full disk or too many open files, and PostgreSQL's for the former. */
const CODES = [...DISK_FULL, 'EMFILE', 'ENFILE'];
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

/** Tells whether Node.js or PostgreSQL failed because a disk, or the room of this user on it, is full. */
export const foundDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_FULL.includes(error.code);
