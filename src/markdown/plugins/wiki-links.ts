import type { MarkdownIt } from 'markdown-it';
import { environmentOf } from '../environment.js';

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i;

/** Characters; looking further for an end that never comes would cost more with every beginning. */
const LONGEST = 1_000;

/** `[[target]]` and `[[text|target]]`: pages of the wiki, images where the target is one. */
export function wikiLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'wiki_link', (state, silent) => {
    const { src, pos, posMax } = state;
    if (!src.startsWith('[[', pos)) return false;
    const within = src.slice(pos + 2, Math.min(posMax, pos + 2 + LONGEST));
    const length = within.indexOf(']]');
    if (length < 0) return false;
    const end = pos + 2 + length;
    const inner = within.slice(0, length);
    if (inner.trim() === '' || /[\n[]/.test(inner)) return false;
    if (!silent) {
      const [text = '', target = text] = inner.split('|').map((part) => part.trim());
      const { job } = environmentOf(state.env);
      if (IMAGE.test(target)) {
        const link = state.push('link_open', 'a', 1);
        link.attrs = [['href', target]];
        link.meta = { isImage: true };
        const token = state.push('image', 'img', 0);
        const name = target.split('/').at(-1) ?? target;
        token.attrs = [
          ['src', target],
          ['title', text === target ? name : text],
          ['alt', ''],
        ];
        const alt = new state.Token('text', '', 0);
        alt.content = text;
        token.children = [alt];
        token.content = text;
        state.push('link_close', 'a', -1);
      } else {
        const isAbsolute = /^https?:\/\//i.test(target);
        const href = isAbsolute || job.wiki ? target : `wiki/${target}`;
        state.push('link_open', 'a', 1).attrs = [['href', isAbsolute ? href : encodeURI(href)]];
        state.push('text', '', 0).content = text;
        state.push('link_close', 'a', -1);
      }
    }
    state.pos = end + 2;
    return true;
  });
}
