import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import footnote from 'markdown-it-footnote';
import { tokenAt } from './token.js';

interface FootnoteMeta {
  readonly id: number;
  readonly subId?: number;
}

interface Footnote {
  readonly label: string;
  /** How often the text refers to the footnote. */
  readonly count: number;
}

interface FootnoteEnvironment {
  readonly footnotes?: { readonly list?: readonly Footnote[] };
}

/** Renders footnotes as other forges do. The first definition of a name wins. */
export function footnotes(parser: MarkdownIt): void {
  parser.use(footnote);
  parser.inline.ruler.disable('footnote_inline');
  // Replaces the package's rule, which copies the whole text for each footnote.
  parser.core.ruler.at('footnote_tail', (state) => {
    const definitions = takeDefinitions(state);
    const { list = [] } = (state.env as FootnoteEnvironment).footnotes ?? {};
    if (list.length > 0) addTail(state, list, definitions);
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

/** Removes the definitions from the text, nested ones included. Returns the tokens of the first definition of each name. */
function takeDefinitions(state: StateCore): ReadonlyMap<string, readonly Token[]> {
  const definitions = new Map<string, Token[]>();
  const text: Token[] = [];
  const around = [text];
  for (const token of state.tokens)
    if (token.type === 'footnote_reference_open') {
      const { label } = token.meta as { label: string };
      const definition: Token[] = [];
      if (!definitions.has(label)) definitions.set(label, definition);
      around.push(definition);
    } else if (token.type === 'footnote_reference_close') around.pop();
    else around.at(-1)?.push(token);
  state.tokens = text;
  return definitions;
}

/** Appends the footnotes that the text refers to, each with links back. */
function addTail(
  state: StateCore,
  list: readonly Footnote[],
  definitions: ReadonlyMap<string, readonly Token[]>,
): void {
  const add = (type: string, nesting: Token['nesting'], meta: Token['meta'] = null) => {
    const token = new state.Token(type, '', nesting);
    token.meta = meta;
    state.tokens.push(token);
  };
  add('footnote_block_open', 1);
  for (const [id, { label, count }] of list.entries()) {
    add('footnote_open', 1, { id });
    const definition = definitions.get(label) ?? [];
    // The links back stand in the last paragraph, if the footnote ends with one.
    const end = definition.at(-1)?.type === 'paragraph_close' ? definition.length - 1 : definition.length;
    for (const token of definition.slice(0, end)) state.tokens.push(token);
    for (let subId = 0; subId < count; subId++) add('footnote_anchor', 0, { id, subId });
    for (const token of definition.slice(end)) state.tokens.push(token);
    add('footnote_close', -1);
  }
  add('footnote_block_close', -1);
}
