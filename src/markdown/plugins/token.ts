import type { StateCore, StateInline, Token } from 'markdown-it';

function leaf(state: StateCore | StateInline, type: string, content: string): Token {
  const token = new state.Token(type, '', 0);
  token.content = content;
  return token;
}

/** A token of finished HTML. */
export const htmlToken = (state: StateCore | StateInline, html: string): Token =>
  leaf(state, 'html_inline', html);

/** A token of plain text. */
export const textToken = (state: StateCore | StateInline, content: string): Token =>
  leaf(state, 'text', content);

/** Lists the children of each token of a text that has any: paragraphs and the like, and blocks of HTML. */
export function inlineLists({ tokens }: StateCore): Token[][] {
  const lists: Token[][] = [];
  for (const { children } of tokens) if (children) lists.push(children);
  return lists;
}

const TAG = /^<(\/?)(a|code|pre)[\s/>]/i;

/** Code elements of HTML alone, or also links of Markdown and HTML. */
type Enclosing = 'code' | 'code and links';

/** Selects the text tokens that `tokensIn` does not. */
export function textsOutside(what: Enclosing, tokens: readonly Token[]): ReadonlySet<Token> {
  const inside = tokensIn(what, tokens);
  return new Set(tokens.filter((token) => token.type === 'text' && !inside.has(token)));
}

/** Selects the tokens within code elements or links, but for those that begin or end one. */
export function tokensIn(what: Enclosing, tokens: readonly Token[]): ReadonlySet<Token> {
  const inside = new Set<Token>();
  let depth = 0;
  for (const token of tokens) {
    const tag = tagOf(token);
    if (tag && !(tag.isLink && what === 'code')) depth = tag.isEnd ? Math.max(0, depth - 1) : depth + 1;
    else if (depth > 0) inside.add(token);
  }
  return inside;
}

/** Describes a token that begins or ends a link or code; undefined for any other token. */
function tagOf({ type, content }: Token): { readonly isLink: boolean; readonly isEnd: boolean } | undefined {
  if (type === 'link_open' || type === 'link_close') return { isLink: true, isEnd: type === 'link_close' };
  const [, slash, name] = (type === 'html_inline' ? TAG.exec(content) : null) ?? [];
  return name === undefined ? undefined : { isLink: name.toLowerCase() === 'a', isEnd: slash === '/' };
}

/** Replaces each token by the result of `change`; undefined keeps it. */
export function replaceEach(
  tokens: Token[],
  change: (token: Token, next: Token | undefined) => readonly Token[] | undefined,
): void {
  const changes = tokens.map((token, index) => change(token, tokens[index + 1]));
  if (changes.every((parts) => parts === undefined)) return;
  const before = tokens.splice(0);
  // One by one: spread arguments are limited in number, and a long text would exceed that.
  for (const [index, token] of before.entries())
    for (const part of changes[index] ?? [token]) tokens.push(part);
}

/** Returns the token at an index. Throws `RangeError` if there is none. */
export function tokenAt(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (!token) throw new RangeError(`no token ${index}`);
  return token;
}
