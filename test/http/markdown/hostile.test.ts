import { expect } from 'chai';
import fc from 'fast-check';
import { nothingKnown } from '../../../src/markdown/job.js';
import { render } from '../../../src/markdown/render.js';
import { startApi, type TestApi } from '../../support/api.js';
import { withPage } from '../../support/browser.js';
import { hostileTexts } from './hostile-texts.js';

const PAGE = 'http://page.example/';
const TEXTS_OF_A_PAGE = 20;

/** What only a script, or an element that brings its own, would need; and events, sent to whatever is there. */
const PROVOKE = `(() => {
  const found = [];
  const forbidden = 'script,style,link,meta,base,iframe,frame,object,embed,form,button,textarea,select,template,math';
  for (const element of document.querySelectorAll('main *')) {
    if (element.matches(forbidden)) found.push(element.tagName);
    for (const { name } of element.attributes)
      if (/^on|^(?:srcdoc|formaction|action|ping|background)$/i.test(name)) found.push(name);
    const { protocol } = element;
    if (protocol !== undefined && !['http:', 'https:', 'mailto:', ':'].includes(protocol)) found.push(protocol);
    for (const type of ['mouseover', 'pointerenter', 'focus', 'load', 'error', 'toggle', 'animationstart'])
      element.dispatchEvent(new Event(type));
  }
  return found;
})()`;

/** Elements that browsers end, or move, where others begin. */
const MOVED =
  'table tr td th tbody thead caption ul ol li dl dd dt div p h1 h2 a b ruby rt blockquote details span pre';

const { nesting } = fc.letrec<{ nesting: string }>((tie) => ({
  nesting: fc
    .array(
      fc.tuple(
        fc.constantFrom(...MOVED.split(' ')),
        fc.oneof({ depthSize: 'medium' }, fc.constant('x'), tie('nesting')),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((elements) => elements.map(([name, inner]) => `<${name}>${inner}</${name}>`).join('')),
}));

/** Where a page may show a fragment, in place of `*`. */
const PLACES = [
  '<main>*</main>',
  '<ul><li>*</li></ul>',
  '<dl><dt>*</dt><dd>a</dd></dl>',
  '<dl><dd>*</dd></dl>',
  '<table><tbody><tr><td>*</td></tr></tbody></table>',
];

/** Tells which of some fragments end an element of the page that shows them. */
const ESCAPES = `(fragments) => fragments.filter((html) => ${JSON.stringify(PLACES)}.some((place) => {
  const [before, behind] = place.split('*');
  const page = '<!doctype html><div>' + before + '<section>' + html + '</section>' + behind + '<p id="after"></p></div>';
  const shown = new DOMParser().parseFromString(page, 'text/html');
  const [section, after] = [shown.querySelector('section'), shown.getElementById('after')];
  const plain = new DOMParser().parseFromString(before + '<section></section>' + behind, 'text/html');
  section.replaceChildren();
  after.remove();
  return shown.querySelector('body > div').innerHTML !== plain.body.innerHTML;
}))`;

describe('hostile markdown in a browser', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  /** Gives `read` a page: what shows some fragments, and tells what a reader of them would not want. */
  const withReader = (read: (shown: (fragments: readonly string[]) => Promise<string[]>) => Promise<void>) =>
    withPage(async ({ page }) => {
      let html = '';
      let complaints: string[] = [];
      await page.route('**/*', (route) => {
        const request = route.request();
        if (request.url() === PAGE) return route.fulfill({ contentType: 'text/html', body: html });
        // Pictures may come from anywhere; nothing else is asked for.
        if (!['image', 'media'].includes(request.resourceType()))
          complaints.push(`asked for ${request.url()}`);
        return route.abort();
      });
      page.on('dialog', (dialog) => {
        complaints.push(`said ${dialog.message()}`);
        void dialog.dismiss();
      });
      await read(async (fragments) => {
        html = `<!doctype html><meta charset="utf-8"><main>${fragments.map((html) => `<div>${html}</div>`).join('')}</main>`;
        complaints = [];
        await page.goto(PAGE);
        complaints.push(...(await page.evaluate<string[]>(PROVOKE)));
        const places = await page.evaluate<number>(`document.querySelectorAll('body > main > div').length`);
        if (places !== fragments.length) complaints.push(`${fragments.length} fragments in ${places} places`);
        return complaints;
      });
    });

  it('would be seen to run, were it not sanitised', () =>
    withReader(async (shown) => {
      expect(await shown(['<img src=x onerror=alert(1)>'])).to.include.members(['said 1', 'onerror']);
      expect(await shown(['<link rel=stylesheet href="//evil.example/x">'])).to.deep.equal([
        'asked for http://evil.example/x',
        'LINK',
      ]);
      expect(await shown(['<a href="javascript:alert(1)">x</a>'])).to.deep.equal(['javascript:']);
      expect(await shown(['<!--', '-->'])).to.deep.equal(['2 fragments in 1 places']);
      expect(await shown(['<p>quiet</p>'])).to.deep.equal([]);
    }));

  const rendered = async (text: string): Promise<string[]> => {
    const answers = await Promise.all([
      api.anonymous.post('/markdown/raw', text, { 'content-type': 'text/plain' }),
      ...['gfm', 'comment'].map((Mode) => api.anonymous.post('/markdown', { Text: text, Mode })),
    ]);
    for (const { status } of answers) expect(status, text).to.equal(200);
    return answers.map((answer) => answer.text);
  };

  it('runs nothing, asks for nothing but pictures, and stays where it is put', async () => {
    expect(hostileTexts.length).to.be.at.least(100);
    await withReader(async (shown) => {
      for (let from = 0; from < hostileTexts.length; from += TEXTS_OF_A_PAGE) {
        const texts = hostileTexts.slice(from, from + TEXTS_OF_A_PAGE);
        const fragments = (await Promise.all(texts.map(rendered))).flat();
        expect(await shown(fragments), texts.join('\n\n')).to.deep.equal([]);
      }
    });
  });

  it('ends no element of the page, however its own are nested', () =>
    withPage(async ({ page }) => {
      const escaping = (fragments: readonly string[]) =>
        page.evaluate<string[]>(`(${ESCAPES})(${JSON.stringify(fragments)})`);
      const texts = fc.sample(nesting, 2_000).map((html) => `<div>${html}</div>`);
      expect(await escaping(texts)).to.not.deep.equal([]);
      const context = {
        baseUrl: PAGE,
        linkBase: '',
        wiki: false,
        repository: undefined,
        known: nothingKnown,
      };
      const rendered = texts.map((text) => render({ text, mode: 'markdown', ...context }));
      expect(await escaping(rendered)).to.deep.equal([]);
    }));
});
