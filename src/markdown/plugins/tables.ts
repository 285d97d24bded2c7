import type { MarkdownIt } from 'markdown-it';

/** Alignment as an attribute, where the parser writes a style that sanitising would drop. */
export function tables(parser: MarkdownIt): void {
  parser.core.ruler.push('table_alignment', ({ tokens }) => {
    for (const token of tokens) {
      const [, alignment] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? [];
      if (alignment !== undefined && (token.type === 'th_open' || token.type === 'td_open'))
        token.attrs = [['align', alignment]];
    }
  });
}
