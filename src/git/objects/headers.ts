/** The lines before the message of a commit or a tag. */
export interface Headers {
  /** Of the first header by that name. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
  /** The lines as they were, without the headers of a name. */
  without(name: string): string;
}

/** Reads headers as git writes them: `name value`, where a line that begins with a space goes on. */
export function parseHeaders(text: string): Headers {
  const headers: { name: string; value: string; raw: string }[] = [];
  for (const line of text.split('\n')) {
    const last = headers.at(-1);
    if (line.startsWith(' ') && last) {
      last.value += `\n${line.slice(1)}`;
      last.raw += `${line}\n`;
    } else if (line !== '') {
      const space = line.indexOf(' ');
      const [name, value] = space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
      headers.push({ name, value, raw: `${line}\n` });
    }
  }
  const named = (name: string) => headers.filter((header) => header.name === name);
  return {
    first: (name) => named(name)[0]?.value,
    all: (name) => named(name).map(({ value }) => value),
    without: (name) => headers.map((header) => (header.name === name ? '' : header.raw)).join(''),
  };
}
