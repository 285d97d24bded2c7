/**
 * Tells whether JSON is nested in more than `most` levels; for text that is no JSON the answer may be either. Parsing
 * millions of levels takes seconds, this some milliseconds.
 */
export function nestsDeeper(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++)
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        if (++depth > most) return true;
        break;
      case ']':
      case '}':
        depth--;
    }
  return false;
}

/** Returns where the string that begins here ends; the end of the text if it does not. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end >= 0 && isEscaped(text, end));
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
