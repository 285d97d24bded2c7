import type { Object as GitObject, TreeEntry } from 'nodegit';

// The numbers of libgit2: its types declare them as constant enumerations, which do not exist while it runs.

export const COMMIT = 1 as unknown as GitObject.TYPE.COMMIT;
export const TAG = 4 as unknown as GitObject.TYPE.TAG;

export const DIRECTORY = 0o040000 as unknown as TreeEntry.FILEMODE.TREE;
