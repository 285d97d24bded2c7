import { withoutEnd } from '../../without-end.js';

/** The lines before the message of a commit or a tag. */
export interface Headers {
  /** Of the first header by that name. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
  /** The lines as they were, without the headers of a name. */
  without(name: string): string;
}

/**
 * Reads headers as git writes them: `name value`, where a line that begins with a space goes on. Somebody may have pushed
 * millions of them, so that only those are looked at that are asked for.
 */
export function parseHeaders(text: string): Headers {
  const lines = `\n${withoutEnd(text, '\n')}\n`;
  const valueOf = (name: string, { start, end }: Span) =>
    lines.slice(start + name.length + 1, end - 1).replaceAll('\n ', '\n');
  return {
    first(name) {
      for (const span of spansOf(lines, name)) return valueOf(name, span);
      return undefined;
    },
    all: (name) => Array.from(spansOf(lines, name), (span) => valueOf(name, span)),
    without(name) {
      let [kept, from] = ['', 1];
      for (const { start, end } of spansOf(lines, name)) {
        kept += lines.slice(from, start);
        from = end;
      }
      return kept + lines.slice(from);
    },
  };
}

/** The headers of a commit or tag, and its message. */
export function partsOf(text: string): [header: string, message: string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)];
}

/** From where to where a header goes, the end of its last line included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function* spansOf(lines: string, name: string): Iterable<Span> {
  const begins = `\n${name} `;
  for (let at = lines.indexOf(begins); at >= 0;) {
    let last = lines.indexOf('\n', at + 1);
    while (lines[last + 1] === ' ') last = lines.indexOf('\n', last + 1);
    yield { start: at + 1, end: last + 1 };
    at = lines.indexOf(begins, last);
  }
}
