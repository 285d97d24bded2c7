/** Front matter stands between lines of `---`, and its first line that is neither blank nor a comment begins a mapping. */
const FENCED =
  /^---[ \t]*\n(?=(?:[ \t]*(?:#[^\n]*)?\n)*(?:\{|[^\s#:-][^\n:]*:(?:[ \t]|\n)))(?:[^\n]*\n)*?---[ \t]*(?:\n|$)/;

/** Splits a text behind its front matter, a YAML mapping between `---` lines at its very start. */
export function withoutFrontMatter(text: string): { readonly before: string; readonly body: string } {
  const [before = ''] = FENCED.exec(text) ?? [];
  return { before, body: text.slice(before.length) };
}
