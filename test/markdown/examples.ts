import { expect } from 'chai';
import { OwnHtml } from '../../src/markdown/own-html.js';
import { render } from '../../src/markdown/render.js';
import { sanitise } from '../../src/markdown/sanitise.js';
import { jobFor } from './jobs.js';

/** What a specification says that a text becomes. */
export interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/**
 * One test for each of a specification's own examples, as they would be sanitised, without what forges put around them
 * on purpose. Those in `deliberate` differ, for the reason that stands there, and must differ.
 */
export function examples(all: readonly Example[], deliberate: Readonly<Record<number, string>>): void {
  for (const { number, section, markdown, html } of all) {
    const job = jobFor(markdown, 'gfm', { linkBase: '', repository: undefined });
    const why = deliberate[number];
    it(`example ${number}, ${section}${why === undefined ? '' : `, differs: ${why}`}`, () => {
      const [rendered, specified] = [plain(render(job)), plain(sanitise(html, job, new OwnHtml()))];
      if (why === undefined) expect(rendered).to.equal(specified);
      else expect(rendered, 'it is as specified now: take it off the list').not.to.equal(specified);
    });
  }
}

const plain = (html: string): string =>
  html
    .replace(/ id="user-content-[^"]*"/g, '')
    .replace(/<pre class="code-block">/g, '<pre>')
    .replace(/"chroma (language-[^" ]+) display"/g, '"$1"')
    .replace(/<code class="(?:language-text|(?!language-[^" ]+")[^"]*)">/g, '<code>')
    .replace(
      /<a href="[^"]*"(?: title="[^"]*")? target="_blank" rel="nofollow noopener">(<img[^>]*>)<\/a>/g,
      '$1',
    )
    .replace(/(href|src)="\.?\/?/g, '$1="')
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('<blockquote> </blockquote>', '<blockquote></blockquote>')
    .trim();
