import type { MarkdownIt } from 'markdown-it';

/** An anchor at the beginning of a block, whose only purpose is its name. */
const ANCHOR = /^\s*<a(?=\s)(?![^<>]*\shref)[^<>]*>/i;
const END = /<\/a[\s>]/i;

/**
 * Ends unclosed anchors of HTML before headings and the like where they begin. Each would hold the whole text behind it,
 * and a long text with many would be nested too deeply.
 */
export function anchors(parser: MarkdownIt): void {
  parser.core.ruler.after('block', 'anchors', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'html_block' && !END.test(token.content))
        token.content = token.content.replace(ANCHOR, '$&</a>');
  });
}
