import type { Personal } from './accounts/profile.js';

/** The placeholder for a text whose author was erased. */
export const ERASED = '(erased)';

/** Returns the text, or the placeholder if its author was erased. */
export const orErased = (text: Personal): string => text ?? ERASED;
