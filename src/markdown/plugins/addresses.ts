import type { MarkdownIt } from 'markdown-it';
import { imageAddress, linkAddress } from '../addresses.js';
import { environmentOf } from '../environment.js';
import { inlineLists, tokenAt } from './token.js';

interface ImageMeta {
  readonly inLink: boolean;
  /** The resolved address of the image. */
  readonly address: string;
}

/** Resolves relative links and images below the context. An image becomes a link to itself unless it stands in a link. */
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
          const address = imageAddress(String(token.attrGet('src') ?? ''), job);
          token.meta = { inLink: inLink > 0, address } satisfies ImageMeta;
          // In the other modes the sanitiser resolves it, together with images of raw HTML.
          if (job.mode === 'markdown') token.attrSet('src', address);
        }
      }
    }
  });

  const { escapeHtml } = parser.utils;
  const image = parser.renderer.rules.image;
  parser.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokenAt(tokens, index);
    const html = image?.(tokens, index, options, env, self) ?? '';
    const { inLink, address } = token.meta as unknown as ImageMeta;
    if (inLink) return html;
    const title = token.attrGet('title');
    const titled = title === null ? '' : ` title="${escapeHtml(String(title))}"`;
    return `<a href="${escapeHtml(address)}"${titled} target="_blank">${html}</a>`;
  };
}
