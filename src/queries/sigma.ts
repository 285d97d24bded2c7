import { fragment, type Fragment } from '../database/sql.js';

/** Tells whether a text has a sigma in any of its forms. */
export const hasSigma = (text: string): boolean => /[Σσς]/.test(text);

/** Writes both forms of the small sigma as one: a capital one is lowered to ς at the end of a text, else to σ. */
export const withOneSigma = (text: string): string => text.replaceAll('ς', 'σ');

/** The same in SQL, of lowered text that is compared with a part that somebody looks for. */
export const oneSigmaIn = (lowered: Fragment, part: string): Fragment =>
  hasSigma(part) ? fragment`replace(${lowered}, 'ς', 'σ')` : lowered;
