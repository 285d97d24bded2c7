const FENCED = /^---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)/;

/** The text behind YAML between `---` lines at its very start, and what went before it. */
export function withoutFrontMatter(text: string): { readonly before: string; readonly body: string } {
  const [before = ''] = FENCED.exec(text) ?? [];
  return { before, body: text.slice(before.length) };
}
