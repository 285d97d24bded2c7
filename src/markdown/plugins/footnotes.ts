import type { MarkdownIt, Token } from 'markdown-it';
import footnote from 'markdown-it-footnote';
import { tokenAt } from './token.js';

interface FootnoteMeta {
  readonly id: number;
  readonly subId?: number;
}

interface FootnoteEnvironment {
  readonly footnotes?: { readonly list?: readonly { readonly label?: string }[] };
}

/** Footnotes as other forges write them. The first definition of a name wins. */
export function footnotes(parser: MarkdownIt): void {
  parser.use(footnote);
  parser.inline.ruler.disable('footnote_inline');
  parser.core.ruler.before('footnote_tail', 'first_footnotes', (state) => {
    const seen = new Set<string>();
    let dropping = false;
    state.tokens = state.tokens.filter((token) => {
      if (token.type === 'footnote_reference_open') {
        const { label } = token.meta as { label: string };
        dropping = seen.has(label);
        seen.add(label);
      }
      const dropped = dropping;
      if (token.type === 'footnote_reference_close') dropping = false;
      return !dropped;
    });
  });

  const { rules } = parser.renderer;
  const metaOf = ({ meta }: Token) => meta as unknown as FootnoteMeta;
  const nameOf = (token: Token, env: unknown): string => {
    const { id } = metaOf(token);
    const label = (env as FootnoteEnvironment).footnotes?.list?.[id]?.label ?? String(id + 1);
    return parser.utils.escapeHtml(label);
  };
  const again = (token: Token) => {
    const { subId = 0 } = metaOf(token);
    return subId > 0 ? `-${subId}` : '';
  };
  rules.footnote_ref = (tokens, index, _, env) => {
    const token = tokenAt(tokens, index);
    const name = nameOf(token, env);
    const number = metaOf(token).id + 1;
    return `<sup id="fnref:user-content-${name}${again(token)}"><a href="#fn:user-content-${name}">${number}</a></sup>`;
  };
  rules.footnote_block_open = () => '<div><hr /><ol>';
  rules.footnote_block_close = () => '</ol>\n</div>\n';
  rules.footnote_open = (tokens, index, _, env) =>
    `<li id="fn:user-content-${nameOf(tokenAt(tokens, index), env)}">`;
  rules.footnote_close = () => '</li>\n';
  rules.footnote_anchor = (tokens, index, _, env) => {
    const token = tokenAt(tokens, index);
    return ` <a href="#fnref:user-content-${nameOf(token, env)}${again(token)}">↩︎</a>`;
  };
}
