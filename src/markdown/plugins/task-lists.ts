import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { environmentOf } from '../environment.js';
import { htmlToken } from './token.js';

/** A box and the blanks behind it, or a box alone, which the end of its line has to follow. */
const BOX = /^\[([ \txX])\](?:[ \t]+|$)/;

/** Renders `- [ ] words` with a disabled checkbox, which tells the position in the source. */
export function taskLists(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'task_lists', (state) => {
    const { tokens } = state;
    const lines = state.src.split('\n');
    tokens.forEach((item, index) => {
      const [paragraph, inline] = [tokens[index + 1], tokens[index + 2]];
      if (item.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open' || !inline) return;
      const { children } = inline;
      const [first, second] = children ?? [];
      const [box, mark = ''] = (first?.type === 'text' ? BOX.exec(first.content) : null) ?? [];
      if (!children || !first || box === undefined) return;
      if (box.endsWith(']')) {
        if (second?.type !== 'softbreak' && second?.type !== 'hardbreak') return;
        children.splice(1, 1);
      }
      first.content = first.content.slice(box.length);
      item.attrJoin('class', 'task-list-item');
      const position = offsetOf(lines, inline, box, state);
      children.unshift(htmlToken(state, input(mark.trim() !== '', position)));
    });
  });
}

/** Computes the byte of the source at which the checkbox begins. */
function offsetOf(lines: readonly string[], inline: Token, box: string, { env }: StateCore): number {
  const { lineOffsets } = environmentOf(env);
  const line = inline.map?.[0] ?? 0;
  const source = lines[line] ?? '';
  return (lineOffsets[line] ?? 0) + Buffer.byteLength(source.slice(0, source.indexOf(box.trimEnd())));
}

const input = (checked: boolean, position: number): string =>
  `<input type="checkbox" disabled="" data-source-position="${position}"${checked ? ' checked=""' : ''} />`;
