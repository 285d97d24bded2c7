import { globMatches } from '../repositories/glob.js';

/** Takes the place of a slash; no branch has it in its name. */
const NO_SLASH = '\u0001';

/**
 * Whether a hook's filter lets a branch pass: a glob as of branch protections, but `*` and `?` do not stop at a slash.
 * An empty one lets all pass.
 */
export const passesBranchFilter = (filter: string, branch: string): boolean =>
  filter === '' || globMatches(withoutSlashes(filter), withoutSlashes(branch));

const withoutSlashes = (text: string) => text.replaceAll('/', NO_SLASH);

/** Whether each bracket and brace is closed, none is empty, and a backslash has something to stand before. */
export function isBranchFilter(text: string): boolean {
  // Without what is escaped and whole sets, a bracket is one too many.
  const rest = text.replaceAll(/\\./gsu, '').replaceAll(/\[!?[^[\]]+\]/gu, '');
  if (/[[\]\\]/.test(rest)) return false;
  let depth = 0;
  for (const character of rest) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
