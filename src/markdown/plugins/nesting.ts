import type { MarkdownIt } from 'markdown-it';

/** A list and its item are two levels, a quote is one. */
const MAX_LEVELS = 100;

/** Quotes and lists within that many others are the text that they are; the parser alone would leave them out. */
export function nesting(parser: MarkdownIt): void {
  // What is entered on the last level may have two more of its own.
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
