/** Between lines of three hyphens; the first line that is neither blank nor a comment begins a mapping. */
const FENCED =
  /^---[ \t]*\n(?=(?:[ \t]*(?:#[^\n]*)?\n)*(?:\{|[^\s#:-][^\n:]*:(?:[ \t]|\n)))(?:[^\n]*\n)*?---[ \t]*(?:\n|$)/;

/** The text behind a mapping of YAML between `---` lines at its very start, and what went before it. */
export function withoutFrontMatter(text: string): { readonly before: string; readonly body: string } {
  const [before = ''] = FENCED.exec(text) ?? [];
  return { before, body: text.slice(before.length) };
}
