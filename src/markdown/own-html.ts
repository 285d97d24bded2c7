import { randomBytes } from 'node:crypto';

/**
 * Finished HTML of our own within a text, such as icons and coloured code. Until the text has been sanitised, an element
 * stands in its place that only its rendering can make, because its class is random.
 */
export class OwnHtml {
  readonly #mark = `own${randomBytes(12).toString('hex')}`;
  readonly #pieces: string[] = [];

  /** Keeps finished HTML, and returns what stands in its place. */
  placeholder(html: string): string {
    const index = this.#pieces.push(html) - 1;
    return `<i class="${this.#mark}-${index}"></i>`;
  }

  /** Tells whether an element `i` of this class is a placeholder. */
  isPlaceholder(className: string): boolean {
    return className.startsWith(this.#mark);
  }

  /** Puts what was kept into sanitised HTML. */
  restored(html: string): string {
    if (this.#pieces.length === 0) return html;
    const placeholders = new RegExp(`<i class="${this.#mark}-(\\d+)"></i>`, 'g');
    return html.replace(placeholders, (_, index: string) => this.#pieces[Number(index)] ?? '');
  }
}
