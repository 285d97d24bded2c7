import type { MarkdownIt, Token } from 'markdown-it';
import { WITHOUT_CONTENT } from '../sanitise.js';

const TAG = new RegExp(String.raw`<(/?)(${WITHOUT_CONTENT.join('|')})(?=[\s/>])`, 'gi');
/** Of markdown's own blocks: they go on to the end of their container if nothing ends them. */
const SOURCE = /^\s*<(script|style)[\s>]/i;

/** How many end tags follow whose elements have not begun yet, by the names of the elements. */
type Ends = Map<string, number>;

/**
 * Keeps elements that are left out with their content, but that nothing ends, from taking along the rest of the text. Their
 * tags become text, as in GFM; a script or style that is a block ends with it.
 */
export function unclosed(parser: MarkdownIt): void {
  parser.core.ruler.push('unclosed', ({ tokens }) => {
    const behind: Ends = new Map();
    for (const token of tokens.toReversed()) {
      // What begins within a paragraph has to end there; what a block begins may end in any later one.
      const isBlock = token.type === 'html_block';
      const ends: Ends = isBlock ? behind : new Map();
      if (isBlock) token.content += missingEnd(token.content);
      for (const piece of piecesOf(token).toReversed()) piece.content = withoutUnclosed(piece.content, ends);
      if (!isBlock) for (const [name, count] of ends) behind.set(name, (behind.get(name) ?? 0) + count);
    }
  });
}

/** Returns the end tag that a block of script or style lacks. */
function missingEnd(html: string): string {
  const [, name] = SOURCE.exec(html) ?? [];
  return name === undefined || new RegExp(String.raw`</${name}[\s>]`, 'i').test(html) ? '' : `</${name}>`;
}

const piecesOf = (token: Token): readonly Token[] =>
  token.children?.filter(({ type }) => type === 'html_inline') ??
  (token.type === 'html_block' ? [token] : []);

/** Returns HTML with its unclosed tags as text, given the ends behind it, to which it adds its own. */
function withoutUnclosed(html: string, ends: Ends): string {
  const unclosed = new Set<number>();
  for (const { 1: slash, 2: word = '', index } of [...html.matchAll(TAG)].toReversed()) {
    const name = word.toLowerCase();
    const left = ends.get(name) ?? 0;
    if (slash) ends.set(name, left + 1);
    else if (left > 0) ends.set(name, left - 1);
    else unclosed.add(index);
  }
  if (unclosed.size === 0) return html;
  return html.replace(TAG, (tag, _slash, _name, index: number) =>
    unclosed.has(index) ? `&lt;${tag.slice(1)}` : tag,
  );
}
