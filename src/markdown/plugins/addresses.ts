import type { MarkdownIt } from 'markdown-it';
import { imageAddress, linkAddress } from '../addresses.js';
import { environmentOf } from '../environment.js';
import { inlineLists, tokenAt } from './token.js';

/** Relative links and images lead below the context; an image links to itself unless it stands in a link. */
export function addresses(parser: MarkdownIt): void {
  parser.core.ruler.push('addresses', (state) => {
    const { job } = environmentOf(state.env);
    for (const tokens of inlineLists(state)) {
      let inLink = 0;
      for (const token of tokens) {
        if (token.type === 'link_open') {
          inLink += 1;
          const { isImage } = (token.meta ?? {}) as { readonly isImage?: boolean };
          const address = isImage ? imageAddress : linkAddress;
          token.attrSet('href', address(String(token.attrGet('href') ?? ''), job));
        } else if (token.type === 'link_close') inLink -= 1;
        else if (token.type === 'image') {
          token.attrSet('src', imageAddress(String(token.attrGet('src') ?? ''), job));
          token.meta = { inLink: inLink > 0 };
        }
      }
    }
  });

  const { escapeHtml } = parser.utils;
  const image = parser.renderer.rules.image;
  parser.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokenAt(tokens, index);
    const html = image?.(tokens, index, options, env, self) ?? '';
    if ((token.meta as { readonly inLink?: boolean } | null)?.inLink) return html;
    const title = token.attrGet('title');
    const titled = title === null ? '' : ` title="${escapeHtml(String(title))}"`;
    return `<a href="${escapeHtml(String(token.attrGet('src') ?? ''))}"${titled} target="_blank">${html}</a>`;
  };
}
