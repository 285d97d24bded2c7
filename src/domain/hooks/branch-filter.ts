import { globMatches, hasEmptyRange } from '../repositories/glob.js';

/** Replaces slashes. No name of a branch contains it. */
const NO_SLASH = '\u0001';

/**
 * Tells whether a hook's filter lets a branch pass. The filter is a glob as in branch protections, but `*` and `?` also
 * match slashes. An empty filter lets all branches pass.
 */
export const passesBranchFilter = (filter: string, branch: string): boolean =>
  filter === '' || globMatches(withoutSlashes(filter), withoutSlashes(branch));

const withoutSlashes = (text: string) => text.replaceAll('/', NO_SLASH);

/** Tells whether a filter is valid: brackets and braces are closed, no set or range is empty, a backslash escapes something. */
export function isBranchFilter(text: string): boolean {
  // Once escapes and complete sets are removed, any bracket that is left is unbalanced.
  const rest = text.replaceAll(/\\./gsu, '').replaceAll(/\[!?[^[\]]+\]/gu, '');
  if (/[[\]\\]/.test(rest) || hasEmptyRange(text)) return false;
  let depth = 0;
  for (const character of rest) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
