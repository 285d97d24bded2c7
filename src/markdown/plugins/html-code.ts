import type { MarkdownIt } from 'markdown-it';
import { replaceEach, tokensIn } from './token.js';

const CODE = /<(?:code|pre)[\s>]/i;

/** Leaves addresses in code that is written as HTML as text. The parser's own rules leave out links there only. */
export function htmlCode({ core }: MarkdownIt): void {
  core.ruler.after('linkify', 'html_code', ({ tokens }) => {
    for (const { children, content } of tokens) {
      if (!children || !CODE.test(content)) continue;
      const inside = tokensIn('code', children);
      replaceEach(children, (token) => (token.markup === 'linkify' && inside.has(token) ? [] : undefined));
    }
  });
}
