/** How many values a body may hold, as JSON or as a form: more than anybody sends. */
export const MOST_VALUES = 100_000;

/** How many levels JSON may be nested in, and how many values it may hold. */
interface JsonBounds {
  readonly levels: number;
  readonly values: number;
}

/**
 * Returns which bound JSON exceeds; undefined if none. For text that is no JSON the answer may be any. Parsing millions of
 * levels, or checking millions of values, takes seconds, this some milliseconds.
 */
export function exceeded(text: string, most: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++)
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case ',':
        if (++values > most.values) return 'values';
        break;
      case '[':
      case '{':
        if (++depth > most.levels) return 'levels';
        if (++values > most.values) return 'values';
        break;
      case ']':
      case '}':
        depth--;
    }
  return undefined;
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
