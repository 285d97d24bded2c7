import type { MarkdownIt } from 'markdown-it';

/** Writes the alignment of cells as an attribute. The parser writes it as a style, which sanitising would remove. */
export function tables(parser: MarkdownIt): void {
  parser.core.ruler.push('table_alignment', ({ tokens }) => {
    for (const token of tokens) {
      const [, alignment] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? [];
      if (alignment !== undefined && (token.type === 'th_open' || token.type === 'td_open'))
        token.attrs = [['align', alignment]];
    }
  });
}
