import type { MarkdownIt } from 'markdown-it';

/** The maximum nesting level. A list with its item counts as two levels, a quote as one. */
const MAX_LEVELS = 100;

/** Leaves quotes and lists beyond that level as text; the parser alone would drop them. */
export function nesting(parser: MarkdownIt): void {
  // A block that begins on the last level may add two more levels of its own.
  parser.set({ maxNesting: MAX_LEVELS + 10 });
  parser.block.ruler.before('table', 'too_deep', (state, startLine, endLine) => {
    if (state.level < MAX_LEVELS) return false;
    const isOurs = (line: number) =>
      line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent;
    let line = startLine + 1;
    while (isOurs(line)) line += 1;
    state.push('paragraph_open', 'p', 1).map = [startLine, line];
    const inline = state.push('inline', '', 0);
    inline.content = state.getLines(startLine, line, state.blkIndent, false).trim();
    inline.map = [startLine, line];
    inline.children = [];
    state.push('paragraph_close', 'p', -1);
    state.line = line;
    return true;
  });
}
