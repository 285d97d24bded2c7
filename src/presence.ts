import { access } from 'node:fs/promises';

/** Whether there is something at a path, as far as that can be seen. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Undefined where what was asked for is not there any more. */
export const unlessGone = <T>(asked: Promise<T>): Promise<T | undefined> => unlessIt('ENOENT', asked);

/** Undefined where what was to be made is there already. */
export const unlessThere = <T>(making: Promise<T>): Promise<T | undefined> => unlessIt('EEXIST', making);

async function unlessIt<T>(fails: 'ENOENT' | 'EEXIST', asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === fails) return undefined;
    throw error;
  }
}
