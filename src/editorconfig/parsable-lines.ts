const COMMENT = /^\s*[#;]/;
const SECTION = /^\s*(\[.+\])\s*(?:[#;].*)?$/;
const PAIR = /^\s*[^\s=[#;][^=]*=/;

/**
 * Removes the lines at which the package's parser would stop: keeps comments, sections and pairs, and the number of each
 * line. Anything behind a section's name on its line is a comment.
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
  if (section !== undefined) return section;
  return PAIR.test(line) ? line : '';
}
