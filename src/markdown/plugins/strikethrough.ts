import type { MarkdownIt, StateInline } from 'markdown-it';

type Delimiter = StateInline['delimiters'][number];

/** Codes that distinguish single from double tildes among delimiters; no character has them. */
const MARKERS = [-1, -2];

/** Renders `~words~` and `~~words~~` as deleted; three or more tildes are text. */
export function strikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.at('strikethrough', (state, silent) => {
    if (silent || state.src[state.pos] !== '~') return false;
    const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
    state.push('text', '', 0).content = '~'.repeat(length);
    const marker = MARKERS[length - 1];
    if (marker !== undefined)
      state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close });
    state.pos += length;
    return true;
  });

  parser.inline.ruler2.at('strikethrough', (state) => {
    for (const delimiters of [state.delimiters, ...nested(state)]) pair(state, delimiters);
    return true;
  });

  parser.renderer.rules.s_open = () => '<del>';
  parser.renderer.rules.s_close = () => '</del>';
}

/** The delimiters within links, which are balanced separately. */
const nested = (state: StateInline): Delimiter[][] =>
  state.tokens_meta.flatMap((meta) => (meta?.delimiters ? [meta.delimiters] : []));

function pair(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const { marker, token, end } of delimiters) {
    const closing = MARKERS.includes(marker) ? delimiters[end] : undefined;
    if (!closing) continue;
    become(state, token, 's_open', 1);
    become(state, closing.token, 's_close', -1);
  }
}

function become(state: StateInline, index: number, type: string, nesting: 1 | -1): void {
  const token = state.tokens[index];
  if (token) Object.assign(token, { type, tag: 's', nesting, markup: token.content, content: '' });
}
