import type { MarkdownIt, StateInline } from 'markdown-it';
import { environmentOf } from '../environment.js';
import { textToken } from './token.js';

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i;

/** The maximum length of a link in characters, so that unclosed opening marks do not each cause a long search. */
const LONGEST = 1_000;

/**
 * Renders `[[target]]` and `[[text|target]]` as links to pages of the wiki, or as images if the target is one. Links of
 * markdown come first: `[[text]](address)` is one.
 */
export function wikiLinks(parser: MarkdownIt): void {
  parser.inline.ruler.after('link', 'wiki_link', (state, silent) => {
    const inner = innerOf(state);
    if (inner === undefined) return false;
    if (!silent) {
      const [first = '', second = ''] = inner.split('|').map((part) => part.trim());
      const text = first || second;
      const target = second || first;
      if (IMAGE.test(target)) pushImage(state, text, target);
      else pushLink(state, text, target);
    }
    state.pos += `[[${inner}]]`.length;
    return true;
  });
}

/** Returns the content of the brackets that begin here; undefined if none do. */
function innerOf({ src, pos, posMax }: StateInline): string | undefined {
  if (!src.startsWith('[[', pos)) return undefined;
  const within = src.slice(pos + 2, Math.min(posMax, pos + 2 + LONGEST));
  const end = within.indexOf(']]');
  const inner = within.slice(0, Math.max(0, end));
  return /^[\s|]*$|[\n[]/.test(inner) ? undefined : inner;
}

/** Adds the image as a link to itself. */
function pushImage(state: StateInline, text: string, target: string): void {
  const address = isAbsolute(target) ? target : pathOf(target);
  const link = state.push('link_open', 'a', 1);
  link.attrs = [['href', address]];
  link.meta = { isImage: true };
  const image = state.push('image', 'img', 0);
  const name = target.split('/').at(-1) ?? target;
  image.attrs = [
    ['src', address],
    ['title', text === target ? name : text],
    ['alt', ''],
  ];
  image.children = [textToken(state, text)];
  image.content = text;
  state.push('link_close', 'a', -1);
}

function pushLink(state: StateInline, text: string, target: string): void {
  const { job } = environmentOf(state.env);
  const page = job.wiki ? target : `wiki/${target}`;
  state.push('link_open', 'a', 1).attrs = [['href', isAbsolute(target) ? target : pathOf(encodeURI(page))]];
  state.push('text', '', 0).content = text;
  state.push('link_close', 'a', -1);
}

const isAbsolute = (target: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(target);

/** Returns the path that leads to a name: `?`, `#` and `:` are parts of it, as in `FAQ?`, `C#` and `Category:Tools`. */
const pathOf = (name: string): string =>
  name.replace(/[?#]/g, encodeURIComponent).replace(/^(?=[^/]*:)/, './');
