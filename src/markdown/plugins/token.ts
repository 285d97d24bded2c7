import type { StateCore, StateInline, Token } from 'markdown-it';

function leaf(state: StateCore | StateInline, type: string, content: string): Token {
  const token = new state.Token(type, '', 0);
  token.content = content;
  return token;
}

/** A token that is HTML already. */
export const htmlToken = (state: StateCore | StateInline, html: string): Token =>
  leaf(state, 'html_inline', html);

/** A token of plain text. */
export const textToken = (state: StateCore | StateInline, content: string): Token =>
  leaf(state, 'text', content);

/** The lists of inline tokens of a text. */
export function inlineLists({ tokens }: StateCore): Token[][] {
  const lists: Token[][] = [];
  for (const { type, children } of tokens) if (type === 'inline' && children) lists.push(children);
  return lists;
}

const TAG = /^<(\/?)(a|code|pre)[\s/>]/i;

/** The texts among these tokens that are in no code of HTML and, where so asked, in no link of either kind. */
export function textsOutside(what: 'code' | 'code and links', tokens: readonly Token[]): ReadonlySet<Token> {
  const texts = new Set<Token>();
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'text' && depth === 0) texts.add(token);
    const tag = tagOf(token);
    if (!tag || (tag.isLink && what === 'code')) continue;
    depth = tag.isEnd ? Math.max(0, depth - 1) : depth + 1;
  }
  return texts;
}

/** What begins or ends here, a link or code; undefined for any other token. */
function tagOf({ type, content }: Token): { readonly isLink: boolean; readonly isEnd: boolean } | undefined {
  if (type === 'link_open' || type === 'link_close') return { isLink: true, isEnd: type === 'link_close' };
  const [, slash, name] = (type === 'html_inline' ? TAG.exec(content) : null) ?? [];
  return name === undefined ? undefined : { isLink: name.toLowerCase() === 'a', isEnd: slash === '/' };
}

/** Puts what `change` makes of each token in its place; undefined leaves it. */
export function replaceEach(
  tokens: Token[],
  change: (token: Token, next: Token | undefined) => readonly Token[] | undefined,
): void {
  const changes = tokens.map((token, index) => change(token, tokens[index + 1]));
  if (changes.every((parts) => parts === undefined)) return;
  const before = tokens.splice(0);
  // One by one: spread, a long text would be more arguments than a call can have.
  for (const [index, token] of before.entries())
    for (const part of changes[index] ?? [token]) tokens.push(part);
}

/** The token that a rule of rendering is asked for. */
export function tokenAt(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (!token) throw new RangeError(`no token ${index}`);
  return token;
}
