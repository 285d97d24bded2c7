import type { MarkdownIt } from 'markdown-it';
import { inlineLists, textsOutside } from './token.js';

/** The beginning or end of code, where one may stand. */
const CODE = /<(\/?)(?:code|pre)(?:\s[^<>]*)?>/iy;
const CODE_TEXT = 'code_text';

/** Leaves addresses in code that is written as HTML as text. The parser's own rules know of links there only. */
export function htmlCode({ inline, core }: MarkdownIt): void {
  inline.ruler.before('html_inline', 'html_code', (state, silent) => {
    if (silent || state.src.charAt(state.pos) !== '<') return false;
    CODE.lastIndex = state.pos;
    const [, slash] = CODE.exec(state.src) ?? [];
    if (slash !== undefined) state.linkLevel = Math.max(0, state.linkLevel + (slash === '' ? 1 : -1));
    return false;
  });
  core.ruler.before('linkify', 'hide_html_code', (state) => {
    for (const tokens of inlineLists(state)) {
      const shown = textsOutside('code', tokens);
      for (const token of tokens) if (token.type === 'text' && !shown.has(token)) token.type = CODE_TEXT;
    }
  });
  core.ruler.after('linkify', 'show_html_code', (state) => {
    for (const tokens of inlineLists(state))
      for (const token of tokens) if (token.type === CODE_TEXT) token.type = 'text';
  });
}
