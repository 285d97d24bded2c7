import { access } from 'node:fs/promises';

/** Tells whether a path exists; false also if that cannot be determined. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Resolves as the call does, or with undefined if its file does not exist (any more). */
export const unlessGone = <T>(asked: Promise<T>): Promise<T | undefined> => unlessIt('ENOENT', asked);

/** Resolves as the call does, or with undefined if its file exists already. */
export const unlessThere = <T>(making: Promise<T>): Promise<T | undefined> => unlessIt('EEXIST', making);

async function unlessIt<T>(fails: 'ENOENT' | 'EEXIST', asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === fails) return undefined;
    throw error;
  }
}
