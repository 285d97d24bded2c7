const COMMENT = /^\s*[#;]/;
const SECTION = /^\s*(\[.+\])\s*(?:[#;].*)?$/;
const PAIR = /^\s*[^\s=[#;][^=]*=/;
/** The value that takes a property away, in any letter case; the package knows it in lower case. */
const UNSET = /=\s*unset\s*$/i;
/** A value that the package would take for a number, though it is not written in digits alone, such as `1e3`. */
const NOT_IN_DIGITS = /=\s*(-?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+))\s*$/i;

/** Patterns that the package knows and EditorConfig does not: `+(a|b)`, `{a..c}` and `{1..9..2}`. */
const FOREIGN = [
  { pattern: /(?<=[?*+@!])\(/g, plain: '\\(' },
  {
    pattern: /(?<!\\)\{([a-z]\.\.[a-z](?:\.\.-?\d+)?|-?\d+\.\.-?\d+\.\.-?\d+)\}/gi,
    plain: '\\{$1\\}',
  },
];

/** A pattern that is longer is refused by the package, and the values of properties are all shorter. */
const LONGEST_LINE = 65_536;
/** More than any file that people wrote. What is made of them would not fit in the memory that there is. */
const MOST_LINES = 100_000;

/**
 * Removes the lines at which the package's parser would stop: keeps sections and pairs. Anything behind a section's name on
 * its line is a comment. What means nothing in its name stands for itself. Lines are made one at a time, because a thread
 * that asks for much memory at once ends the process, and not itself alone. Throws if there are too many, or if the name of
 * a section is too long.
 */
export function parsableLines(contents: Buffer): Buffer {
  const text = contents.toString('utf8').replace(/^\ufeff/, '');
  const kept: string[] = [];
  for (const [whole] of text.matchAll(/[^\r\n]+/g)) {
    const line = parsable(whole);
    if (line === undefined) continue;
    if (kept.length === MOST_LINES) throw new RangeError(`more than ${MOST_LINES} lines`);
    kept.push(line);
  }
  return Buffer.from(kept.join('\n') + '\n');
}

function parsable(whole: string): string | undefined {
  const line = whole.slice(0, LONGEST_LINE);
  if (COMMENT.test(line)) return undefined;
  if (line.length < whole.length && /^\s*\[/.test(line))
    throw new RangeError('the name of a section is too long');
  const section = SECTION.exec(line)?.[1];
  if (section !== undefined) return `[${inPlain(section.slice(1, -1))}]`;
  return PAIR.test(line) ? line.replace(UNSET, '= unset').replace(NOT_IN_DIGITS, '= "$1"') : undefined;
}

/** Escapes the patterns in a section's name that EditorConfig does not know. */
const inPlain = (name: string): string =>
  FOREIGN.reduce((text, { pattern, plain }) => text.replace(pattern, plain), name);
