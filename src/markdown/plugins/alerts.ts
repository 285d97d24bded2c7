import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { environmentOf } from '../environment.js';
import { alertIcon, alertKinds, type AlertKind } from '../icons.js';
import { htmlToken } from './token.js';

const MARK = /^\[!(\w+)\]$/;

/** Renders quotes that begin with `[!NOTE]`, or with the older form `**Note**`, as alerts with a title and an icon. */
export function alerts(parser: MarkdownIt): void {
  parser.core.ruler.push('alerts', (state) => {
    const { tokens } = state;
    for (let index = 0; index < tokens.length; index += 1) {
      const [quote, paragraph, inline] = [tokens[index], tokens[index + 1], tokens[index + 2]];
      if (quote?.type !== 'blockquote_open' || paragraph?.type !== 'paragraph_open' || !inline) continue;
      const kind = takeMark(inline);
      if (!kind) continue;
      quote.attrSet('class', `attention-header attention-${kind}`);
      quote.block = false; // not on a line of its own
      const isEmpty = inline.children?.length === 0;
      tokens.splice(index + 1, isEmpty ? 3 : 0, title(state, kind));
    }
  });
}

/** Removes the mark from the first line, and returns its kind; undefined if there is no mark. */
function takeMark({ children, content: source }: Token): AlertKind | undefined {
  const [first, second] = children ?? [];
  if (!children || first?.type !== 'text') return undefined;
  if (isEndOfLine(second)) return takeInBrackets(children, first, source);
  return first.content === '' && second?.type === 'strong_open' ? takeInBold(children) : undefined;
}

/** Handles `[!NOTE]`, which must stand alone on its line, and in the source as it is: `\[!NOTE]` is text. */
function takeInBrackets(children: Token[], { content }: Token, source: string): AlertKind | undefined {
  const mark = content.trim();
  const kind = source.startsWith(mark) ? kindOf(MARK.exec(mark)?.[1]) : undefined;
  if (kind) children.splice(0, 2);
  return kind;
}

/** Handles `**Note**` and `**Warning**`, whose tokens are an empty text, a mark, the word, a mark and maybe a line break. */
function takeInBold(children: Token[]): AlertKind | undefined {
  const kind = kindOf(children[2]?.content);
  if (kind !== 'note' && kind !== 'warning') return undefined;
  children.splice(0, isEndOfLine(children[4]) || children[4]?.content === '' ? 5 : 4);
  while (isEndOfLine(children[0]) && children.length > 0) children.shift();
  return kind;
}

const isEndOfLine = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'softbreak' || token.type === 'hardbreak';

const kindOf = (word: string | undefined): AlertKind | undefined =>
  alertKinds.find((kind) => kind === word?.toLowerCase());

function title(state: StateCore, kind: AlertKind): Token {
  const { own } = environmentOf(state.env);
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  const token = htmlToken(
    state,
    `<p class="attention-title">${own.placeholder(alertIcon(kind))}<strong class="attention-${kind}">${name}</strong></p>\n`,
  );
  token.type = 'html_block';
  return token;
}
