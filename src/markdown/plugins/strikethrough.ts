import type { MarkdownIt } from 'markdown-it';

/** `~~words~~` as deleted; three tildes and more are only tildes, of which the parser would take pairs. */
export function strikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.before('strikethrough', 'tildes', (state, silent) => {
    const { src, pos } = state;
    let end = pos;
    while (src[end] === '~') end += 1;
    if (end - pos < 3) return false;
    if (!silent) state.pending += src.slice(pos, end);
    state.pos = end;
    return true;
  });
  parser.renderer.rules.s_open = () => '<del>';
  parser.renderer.rules.s_close = () => '</del>';
}
