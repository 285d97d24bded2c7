import { withoutEnd } from '../../values/without-end.js';

/** The headers of a commit or tag: the lines before its message. */
export interface Headers {
  /** Returns the value of the first header of this name. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
  /** Returns the original lines without the headers of this name. */
  without(name: string): string;
}

/**
 * Parses headers as git writes them: `name value`, continued by lines that begin with a space. Headers are only searched
 * for on request, because a pushed object may have millions of them.
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

/** Splits the text of a commit or tag into its headers and its message. */
export function partsOf(text: string): [header: string, message: string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)];
}

/** The range of a header, including the newline of its last line. */
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
