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

/**
 * Removes the lines at which the package's parser would stop: keeps comments, sections and pairs, and the number of each
 * line. Anything behind a section's name on its line is a comment. What means nothing in its name stands for itself.
 */
export function parsableLines(contents: Buffer): Buffer {
  const lines = contents
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/);
  return Buffer.from(lines.map(parsable).join('\n') + '\n');
}

function parsable(line: string): string {
  if (COMMENT.test(line)) return '';
  const section = SECTION.exec(line)?.[1];
  if (section !== undefined) return `[${inPlain(section.slice(1, -1))}]`;
  return PAIR.test(line) ? line.replace(UNSET, '= unset').replace(NOT_IN_DIGITS, '= "$1"') : '';
}

/** Escapes the patterns in a section's name that EditorConfig does not know. */
const inPlain = (name: string): string =>
  FOREIGN.reduce((text, { pattern, plain }) => text.replace(pattern, plain), name);
