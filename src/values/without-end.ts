/** Removes all occurrences of a character from the end of a text, in linear time; `/x+$/` would be quadratic. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
