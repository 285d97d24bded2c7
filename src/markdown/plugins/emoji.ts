import { gemoji } from 'gemoji';
import type { MarkdownIt } from 'markdown-it';
import { escapeAttribute } from '../escape.js';
import { htmlToken, inlineLists } from './token.js';

const byAlias = new Map(gemoji.flatMap((entry) => entry.names.map((name) => [name, entry] as const)));
const byText = new Map(gemoji.map((entry) => [entry.emoji, entry]));

// Sequences before their beginnings.
const KNOWN = new RegExp(
  `:([a-z0-9_+-]{1,50}):|(${[...byText.keys()]
    .sort((one, other) => other.length - one.length)
    .map(escaped)
    .join('|')})`,
  'g',
);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\#]/g, '\\$&');
}

/** `:alias:` and the characters themselves, told to readers that cannot see them. */
export function emoji(parser: MarkdownIt): void {
  parser.core.ruler.push('emoji', (state) => {
    for (const tokens of inlineLists(state)) {
      for (let index = tokens.length - 1; index >= 0; index -= 1) {
        const token = tokens[index];
        if (token?.type !== 'text' || !/[:\u0023-\uffff]/.test(token.content)) continue;
        const parts = [];
        let last = 0;
        for (const match of token.content.matchAll(KNOWN)) {
          const entry = match[1] === undefined ? byText.get(match[0]) : byAlias.get(match[1]);
          if (!entry) continue;
          const before = new state.Token('text', '', 0);
          before.content = token.content.slice(last, match.index);
          last = match.index + match[0].length;
          const { description, names, emoji: sign } = entry;
          parts.push(
            before,
            htmlToken(
              state,
              `<span class="emoji" aria-label="${escapeAttribute(description)}" data-alias="${names[0] ?? ''}">${sign}</span>`,
            ),
          );
        }
        if (parts.length === 0) continue;
        const rest = new state.Token('text', '', 0);
        rest.content = token.content.slice(last);
        tokens.splice(index, 1, ...parts, rest);
      }
    }
  });
}
