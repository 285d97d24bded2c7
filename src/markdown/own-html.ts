import { randomBytes } from 'node:crypto';
import { escapeAttribute } from './escape.js';

/**
 * Finished HTML of our own within a text, such as icons and coloured code. Until the text has been sanitised, an element
 * stands in its place that only its rendering can make, because its class is random.
 */
export class OwnHtml {
  readonly #mark = `own${randomBytes(12).toString('hex')}`;
  readonly #pieces: string[] = [];

  /** Keeps finished HTML, and returns what stands in its place. */
  placeholder(html: string): string {
    const name = `${this.#mark}-${this.#pieces.push(html) - 1}`;
    return `<i class="${name}">${name}</i>`;
  }

  /** Tells whether an element `i` of this class is a placeholder. */
  isPlaceholder(className: string): boolean {
    return className.startsWith(this.#mark);
  }

  /** Puts what was kept into sanitised HTML: where its element did not stay, its words alone; into attributes, nothing. */
  restored(html: string): string {
    if (this.#pieces.length === 0) return html;
    const name = String.raw`${this.#mark}-(\d+)`;
    const element = `<i class="${name}">${name}</i>`;
    const places = new RegExp(`${element}|<[^<>]*${name}[^<>]*>|${name}`, 'g');
    const inAttributes = new RegExp(`${escapeAttribute(element)}|${name}`, 'g');
    const pieceOf = (index: string | undefined) => this.#pieces[Number(index)] ?? '';
    return html.replace(
      places,
      (place: string, kept?: string, _again?: string, _inTag?: string, bare?: string) => {
        if (kept !== undefined) return pieceOf(kept);
        return bare === undefined ? place.replace(inAttributes, '') : wordsOf(pieceOf(bare));
      },
    );
  }
}

const wordsOf = (html: string): string => html.replace(/<[^<>]*>/g, '');
