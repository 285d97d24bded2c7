import type { StateCore, StateInline, Token } from 'markdown-it';

/** A token that is HTML already. */
export function htmlToken(state: StateCore | StateInline, html: string): Token {
  const token = new state.Token('html_inline', '', 0);
  token.content = html;
  return token;
}

/** The lists of inline tokens of a text. */
export function inlineLists({ tokens }: StateCore): Token[][] {
  return tokens.flatMap(({ type, children }) => (type === 'inline' && children ? [children] : []));
}

/** The token that a rule of rendering is asked for. */
export function tokenAt(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (!token) throw new RangeError(`no token ${index}`);
  return token;
}
