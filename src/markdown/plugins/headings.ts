import type { MarkdownIt, Token } from 'markdown-it';

const GIVEN_ID = /\{#([\w:.-]+)\}$/;

/** Gives every heading an id for links: the one written behind it as `{#id}`, or else one made of its words. */
export function headings(parser: MarkdownIt): void {
  parser.core.ruler.push('heading_ids', ({ tokens }) => {
    const taken = new Set<string>();
    const repeats = new Map<string, number>();
    const free = (slug: string): string => {
      let id = slug;
      while (taken.has(id)) {
        const repeat = (repeats.get(slug) ?? 0) + 1;
        repeats.set(slug, repeat);
        id = `${slug}-${repeat}`;
      }
      taken.add(id);
      return id;
    };
    tokens.forEach((token, index) => {
      const inline = tokens[index + 1];
      if (token.type !== 'heading_open' || !inline) return;
      token.attrSet('id', `user-content-${free(takeGivenId(inline) ?? slugOf(textOf(inline)))}`);
    });
  });
}

function takeGivenId({ children }: Token): string | undefined {
  const last = children?.at(-1);
  if (last?.type !== 'text') return undefined;
  const text = last.content.trimEnd();
  const [all, id] = GIVEN_ID.exec(text) ?? [];
  if (all !== undefined) last.content = text.slice(0, -all.length).trimEnd();
  return id;
}

/** Joins the words of a heading. Tags of HTML are no words. */
const textOf = ({ children }: Token): string =>
  (children ?? [])
    .filter(({ type }) => type !== 'html_inline')
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
    .join('');

const slugOf = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase() || 'heading';
