/** A text without all of these characters that it ends with. In one look, which `/x+$/` takes from each `x` on. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
