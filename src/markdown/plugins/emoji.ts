import { gemoji } from 'gemoji';
import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeAttribute } from '../escape.js';
import { htmlToken, inlineLists, replaceEach, textsOutside, textToken } from './token.js';

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

/** Whatever is known has one of these in it; most text has none, and is not looked through. */
const SIGN = /[:\u00a9-\uffff]/;

/** `:alias:` and the characters themselves, each with a label for those who cannot see it. */
export function emoji(parser: MarkdownIt): void {
  parser.core.ruler.push('emoji', (state) => {
    for (const tokens of inlineLists(state)) {
      const texts = textsOutside('code', tokens);
      replaceEach(tokens, (token) =>
        texts.has(token) && SIGN.test(token.content) ? withSigns(state, token) : undefined,
      );
    }
  });
}

function withSigns(state: StateCore, { content }: Token): Token[] {
  const parts: Token[] = [];
  let last = 0;
  for (const match of content.matchAll(KNOWN)) {
    const entry = match[1] === undefined ? byText.get(match[0]) : byAlias.get(match[1]);
    if (!entry) continue;
    const { description, names, emoji: sign } = entry;
    parts.push(
      textToken(state, content.slice(last, match.index)),
      htmlToken(
        state,
        `<span class="emoji" aria-label="${escapeAttribute(description)}" data-alias="${names[0] ?? ''}">${sign}</span>`,
      ),
    );
    last = match.index + match[0].length;
  }
  return [...parts, textToken(state, content.slice(last))];
}
