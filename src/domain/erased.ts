import type { Personal } from './accounts/profile.js';

/** What stands for a text whose writer was erased. */
export const ERASED = '(erased)';

/** A text, or what stands for it once its writer was erased. */
export const orErased = (text: Personal): string => text ?? ERASED;
