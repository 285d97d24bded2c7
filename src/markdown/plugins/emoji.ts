import { type Gemoji, gemoji } from 'gemoji';
import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeAttribute } from '../escape.js';
import { htmlToken, inlineLists, replaceEach, textsOutside, textToken } from './token.js';

const byAlias = new Map(gemoji.flatMap((entry) => entry.names.map((name) => [name, entry] as const)));
const byText = new Map(gemoji.map((entry) => [entry.emoji, entry]));

/** Matches one emoji with its modifiers: skin tone, emoji presentation, keycap, tags of a flag. */
const ONE = String.raw`(?:\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|\p{Emoji}(?:\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?)`;

// Flags of two letters and joined emoji match as a whole, so that unknown ones are not split.
const KNOWN = new RegExp(
  String.raw`:([a-z0-9_+-]{1,50}):|(?:\p{Regional_Indicator}{2}|${ONE}(?:\u200d${ONE})*)(?!\ufe0e)`,
  'gu',
);

const TONE = /\p{Emoji_Modifier}/gu;

const TONES = new Map([
  ['\u{1f3fb}', 'light skin tone'],
  ['\u{1f3fc}', 'medium-light skin tone'],
  ['\u{1f3fd}', 'medium skin tone'],
  ['\u{1f3fe}', 'medium-dark skin tone'],
  ['\u{1f3ff}', 'dark skin tone'],
]);

/** A character that every emoji and alias contains; text without one, as most is, is skipped. */
const SIGN = /[:\u00a9-\uffff]/;

/** Renders `:alias:` and emoji characters, each with a label for screen readers. */
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
    const entry = match[1] === undefined ? named(match[0]) : byAlias.get(match[1]);
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

/** Looks up an emoji. One with skin tones is described by the emoji without them, and the tones. */
function named(sign: string): Pick<Gemoji, 'description' | 'emoji' | 'names'> | undefined {
  const entry = byText.get(sign);
  if (entry) return entry;
  const tones = sign.match(TONE);
  // A skin tone takes the place of the emoji presentation selector.
  const plain = tones && (byText.get(sign.replace(TONE, '')) ?? byText.get(sign.replace(TONE, '\ufe0f')));
  if (!plain) return undefined;
  const words = [...new Set(tones)].map((tone) => TONES.get(tone)).join(', ');
  const description = `${plain.description}${plain.description.includes(':') ? ',' : ':'} ${words}`;
  return { description, names: plain.names, emoji: sign };
}
