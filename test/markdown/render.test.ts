import { expect } from 'chai';
import type { MarkdownMode } from '../../src/markdown/job.js';
import { render } from '../../src/markdown/render.js';
import { processorTime } from '../support/processor-time.js';
import { jobFor } from './jobs.js';

const REPO = 'http://host/owner/repo';
/** Makes one emoji of two. */
const JOINER = '\u200d';

type Case = readonly [what: string, source: string, html: string, mode?: MarkdownMode];

const CASES: readonly Case[] = [
  ['nothing', '', ''],
  ['blanks', ' \n\t\n', ''],
  ['a heading', '## What is it?', '<h2 id="user-content-what-is-it">What is it?</h2>\n'],
  ['equal headings', '# A\n# A', '<h1 id="user-content-a">A</h1>\n<h1 id="user-content-a-1">A</h1>\n'],
  [
    'a heading that is called as another one repeated',
    '# A\n# A-1\n# A',
    '<h1 id="user-content-a">A</h1>\n<h1 id="user-content-a-1">A-1</h1>\n<h1 id="user-content-a-2">A</h1>\n',
  ],
  [
    'a heading whose letter has a mark when it is small',
    '# \u0130A',
    '<h1 id="user-content-i\u0307a">\u0130A</h1>\n',
  ],
  ['a heading of two lines', 'A  \nB\n===', '<h1 id="user-content-a-b">A<br/>\nB</h1>\n'],
  ['a heading of signs', '# !', '<h1 id="user-content-heading">!</h1>\n'],
  ['a heading with an id', '# T {#own}', '<h1 id="user-content-own">T</h1>\n'],
  ['a heading of an id alone', '# {#own}', '<h1 id="user-content-own"></h1>\n'],
  ['a heading with an id before its end', '# {#own} T', '<h1 id="user-content-own-t">{#own} T</h1>\n'],
  [
    'a heading with elements of HTML, whose tags are no words',
    '# <a name="x"></a>A <kbd>B</kbd>',
    '<h1 id="user-content-a-b"><a id="user-content-x"></a>A <kbd>B</kbd></h1>\n',
  ],
  ['front matter', '---\na: b\n---\ntext', '<p>text</p>\n'],
  ['a rule above words, which is no front matter', '---\na\n\n---\nb', '<hr/>\n<p>a</p>\n<hr/>\n<p>b</p>\n'],
  ['front matter behind a comment', '---\n# c: d\n\n"a": b\n---\ntext', '<p>text</p>\n'],
  ['strikethrough', '~~x~~', '<p><del>x</del></p>\n'],
  ['strikethrough by one tilde', 'a ~x~ ~y~~z~ b', '<p>a <del>x</del> <del>y~~z</del> b</p>\n'],
  [
    'strikethrough in a link and around it',
    '~~a [~b~](c)~~',
    `<p><del>a <a href="${REPO}/c" rel="nofollow"><del>b</del></a></del></p>\n`,
  ],
  ['three tildes', 'a ~~~x~~~', '<p>a ~~~x~~~</p>\n'],
  ['a tilde alone', '~/a and ~/b', '<p>~/a and ~/b</p>\n'],
  ['a soft break of a document', 'a\nb', '<p>a\nb</p>\n'],
  ['a soft break of a comment', 'a\nb', '<p>a<br/>\nb</p>\n', 'comment'],
  ['a soft break of a text', 'a\nb', '<p>a<br>\nb</p>\n', 'markdown'],
  ['a rule', '---', '<hr/>\n'],
  ['a rule of a text', 'a\n\n---', '<p>a</p>\n<hr>\n', 'markdown'],
  [
    'a table',
    '|a|b|\n|:-|-:|\n|1|2|',
    '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>\n',
  ],
  [
    'tasks',
    '---\na: b\n---\n- [ ] foo\n- [x] é\n- [ ] baz',
    '<ul>\n<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="15"/>foo</li>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="25" checked=""/>é</li>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="34"/>baz</li>\n</ul>\n',
  ],
  [
    'tasks whose boxes end a line or have a tab',
    '- [x]\n  é\n- [\t]\tb\n- [ ]  \n  **c**',
    '<ul>\n<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="2" checked=""/>é</li>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="13"/>b</li>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="21"/><strong>c</strong></li>\n</ul>\n',
  ],
  [
    'boxes that nothing follows, or no blank',
    '- [ ]\n- [x]a\n- [x]`b`',
    '<ul>\n<li>[ ]</li>\n<li>[x]a</li>\n<li>[x]<code>b</code></li>\n</ul>\n',
  ],
  ['definitions', 'Term\n: means', '<dl>\n<dt>Term</dt>\n<dd>means</dd>\n</dl>\n'],
  [
    'footnotes, of which the first of a name wins',
    'a[^n] b[^none]\n\n[^n]: text\n[^n]: other',
    '<p>a<sup id="fnref:user-content-n"><a href="#fn:user-content-n" rel="nofollow">1</a></sup> b[^none]</p>\n' +
      '<div><hr/><ol><li id="fn:user-content-n"><p>text <a href="#fnref:user-content-n" rel="nofollow">↩︎</a></p>\n</li>\n</ol>\n</div>\n',
  ],
  [
    'a footnote within another',
    'a[^1] b[^2]\n\n[^1]: one\n\n    [^2]: two\n\n    three',
    `<p>a${reference(1)} b${reference(2)}</p>\n<div><hr/><ol><li id="fn:user-content-1"><p>one</p>\n<p>three ${back(1)}</p>\n</li>\n<li id="fn:user-content-2"><p>two ${back(2)}</p>\n</li>\n</ol>\n</div>\n`,
  ],
  [
    'code of a language',
    '```go\nvar x\n```',
    '<pre class="code-block"><code class="chroma language-go display"><span class="k">var</span> x\n</code></pre>\n',
  ],
  [
    'code of no language',
    '    a <b>',
    '<pre class="code-block"><code class="chroma language-text display">a &lt;b&gt;\n</code></pre>\n',
  ],
  [
    'a diagram',
    '```mermaid\na\n```',
    '<pre class="code-block is-loading"><code class="chroma language-mermaid display">a\n</code></pre>\n',
  ],
  [
    'a colour',
    '`#FFF` `rgb(300,0,0)` `hsl(120,50%,50%)`',
    '<p><code>#FFF<span class="color-preview" style="background-color: #FFF"></span></code> <code>rgb(300,0,0)</code> ' +
      '<code>hsl(120,50%,50%)<span class="color-preview" style="background-color: hsl(120,50%,50%)"></span></code></p>\n',
  ],
  ['a formula', '$x$ \\(y\\)', `<p>${formula('x')} ${formula('y')}</p>\n`],
  ['a formula with a blank on both sides', '$ x $ \\( y \\)', `<p>${formula('x')} ${formula('y')}</p>\n`],
  ['a formula in brackets', '($x$)', `<p>(${formula('x')})</p>\n`],
  ['dollars', '.$a$ [$c$] a$x$ $x$a $a a$b b$', '<p>.$a$ [$c$] a$x$ $x$a $a a$b b$</p>\n'],
  [
    'a block of formulas',
    '$$\na<b\n$$',
    '<pre class="code-block is-loading"><code class="chroma language-math display">a&lt;b\n</code></pre>\n',
  ],
  [
    'a block of formulas with a blank line, in a list',
    '- $$\n  a\n\n  b\n  $$',
    '<ul>\n<li>\n<pre class="code-block is-loading"><code class="chroma language-math display">a\n\nb\n</code></pre>\n</li>\n</ul>\n',
  ],
  [
    'a quote that begins with an escaped mark, which is no alert',
    '> \\[!NOTE]\n> a\n\n> &#91;!NOTE]',
    '<blockquote>\n<p>[!NOTE]\na</p>\n</blockquote>\n<blockquote>\n<p>[!NOTE]</p>\n</blockquote>\n',
  ],
  ['a link below the context', '[l](x/y)', `<p><a href="${REPO}/x/y" rel="nofollow">l</a></p>\n`],
  ['a link with a slash', '[l](/x)', `<p><a href="${REPO}/x" rel="nofollow">l</a></p>\n`],
  ['a link with two slashes', '[l](//x.org/y)', `<p><a href="${REPO}/x.org/y" rel="nofollow">l</a></p>\n`],
  ['a link upwards', '[l](../../../x)', '<p><a href="http://host/x" rel="nofollow">l</a></p>\n'],
  ['an anchor', '[l](#a)', '<p><a href="#user-content-a" rel="nofollow">l</a></p>\n'],
  ['an address', '[l](mailto:a@b.org)', '<p><a href="mailto:a@b.org" rel="nofollow">l</a></p>\n'],
  [
    'an image',
    '![alt](p.png "T")',
    `<p><a href="${REPO}/p.png" title="T" target="_blank" rel="nofollow noopener"><img src="${REPO}/p.png" alt="alt" title="T"/></a></p>\n`,
  ],
  [
    'an image in a link',
    '[![alt](p.png)](x)',
    `<p><a href="${REPO}/x" rel="nofollow"><img src="${REPO}/p.png" alt="alt"/></a></p>\n`,
  ],
  [
    'an address in a comment',
    'https://x.y/(a). www.x.y',
    '<p><a href="https://x.y/(a)" rel="nofollow">https://x.y/(a)</a>. www.x.y</p>\n',
    'comment',
  ],
  ['an address in a text', 'https://x.y', '<p>https://x.y</p>\n', 'markdown'],
  [
    'addresses of hosts with underscores',
    'http://a_b.x.y/c _http://x.y_z_ http://_x._y_',
    `<p>${address('http://a_b.x.y/c')} <em>${address('http://x.y_z')}</em> ${address('http://_x._y')}_</p>\n`,
  ],
  [
    'addresses before punctuation',
    'http://x.y/a: http://x.y/b, _http://x.y/c_ http://x.y/d?!',
    `<p>${address('http://x.y/a')}: ${address('http://x.y/b')}, <em>${address('http://x.y/c')}</em> ${address('http://x.y/d')}?!</p>\n`,
  ],
  [
    'addresses before entities',
    '&lt;http://x.y/a&gt; &quot;http://x.y/b.&quot;&gt; http://x.y/?c&d=e http://x.y/f;',
    `<p>&lt;${address('http://x.y/a')}&gt; "${address('http://x.y/b')}."&gt; ${address('http://x.y/?c&amp;d=e')} ${address('http://x.y/f')};</p>\n`,
  ],
  ['an address with an escape', 'http://x.y/a%20b', `<p>${address('http://x.y/a%20b')}</p>\n`],
  ['such a one in brackets', '<http://x.y/a%20b>', `<p>${address('http://x.y/a%20b')}</p>\n`, 'markdown'],
  [
    'an address with a user',
    'http://u:p@x.y/z',
    '<p><a href="http://u:p@x.y/z" rel="nofollow">http://u:p@x.y/z</a></p>\n',
  ],
  [
    'a mention',
    '(by @ann) @nobody a@ann',
    '<p>(by <a href="http://host/ann" class="mention" rel="nofollow">@ann</a>) @nobody a@ann</p>\n',
  ],
  [
    'no mention by the beginning of another name',
    '@ann.smith @ann.smith/x @owner/smiths.old/x',
    '<p>@ann.smith @ann.smith/x @owner/smiths.old/x</p>\n',
  ],
  [
    'no mention by a name of another server',
    '@ann@host.example and @ann:host.example',
    '<p>@ann@host.example and @ann:host.example</p>\n',
  ],
  [
    'a mention before a colon',
    '@ann: yes',
    '<p><a href="http://host/ann" class="mention" rel="nofollow">@ann</a>: yes</p>\n',
  ],
  [
    'a mention of a team',
    'hi @owner/smiths. @owner/none @ann/smiths',
    '<p>hi <a href="http://host/org/owner/teams/smiths" class="mention" rel="nofollow">@owner/smiths</a>. @owner/none @ann/smiths</p>\n',
  ],
  [
    'mail addresses',
    'a@b.example, c@d.example: x',
    '<p><a href="mailto:a@b.example" rel="nofollow">a@b.example</a>, <a href="mailto:c@d.example" rel="nofollow">c@d.example</a>: x</p>\n',
  ],
  [
    'mail addresses in brackets',
    '(a@b.example) [a@b.example]',
    '<p>(<a href="mailto:a@b.example" rel="nofollow">a@b.example</a>) [<a href="mailto:a@b.example" rel="nofollow">a@b.example</a>]</p>\n',
  ],
  [
    'what only looks like mail addresses',
    `a@b a@b.c 'a@b.example' /a@b.example home/a@b.example git@b.example:owner/repo.git`,
    `<p>a@b a@b.c 'a@b.example' /a@b.example home/a@b.example git@b.example:owner/repo.git</p>\n`,
  ],
  [
    'a word before a written-out issue that closes it',
    `fixes ${REPO}/issues/5 Closes: http://host/a/b/issues/6. closes <${REPO}/issues/7>, closes https://x.y closes ${REPO}/issues/5#issuecomment-1`,
    `<p>${keyword('fixes')} ${issue(`${REPO}/issues/5`, '#5')} ${keyword('Closes')}: ${issue('http://host/a/b/issues/6', 'a/b#6')}. ` +
      `${keyword('closes')} ${issue(`${REPO}/issues/7`, '#7')}, closes ${address('https://x.y')} closes ${issue(`${REPO}/issues/5#issuecomment-1`, '#5 (comment)')}</p>\n`,
  ],
  [
    'an issue here in a comment',
    'fixes #12',
    `<p><span class="issue-keyword">fixes</span> <a href="${REPO}/issues/12" class="ref-issue" rel="nofollow">#12</a></p>\n`,
    'comment',
  ],
  [
    'such a word in brackets, and not in quotes',
    `[fixes ${REPO}/issues/5] (fixes ${REPO}/issues/5) "fixes ${REPO}/issues/5 "`,
    `<p>[${keyword('fixes')} ${issue(`${REPO}/issues/5`, '#5')}] (${keyword('fixes')} ${issue(`${REPO}/issues/5`, '#5')}) ` +
      `"fixes ${issue(`${REPO}/issues/5`, '#5')} "</p>\n`,
  ],
  ['an issue here in a document', '#12', '<p>#12</p>\n'],
  ['an issue of another', 'a/b#3 c/d#4', `<p>${issue('http://host/a/b/issues/3', 'a/b#3')} c/d#4</p>\n`],
  ['a written-out issue', `${REPO}/issues/5`, `<p>${issue(`${REPO}/issues/5`, '#5')}</p>\n`],
  [
    'a written-out place in an issue',
    `closes ${REPO}/issues/5?a=b#comment-form ${REPO}/issues/5#issuecomment-6 ${REPO}/issues/5/x`,
    `<p>closes ${issue(`${REPO}/issues/5?a=b#comment-form`, '#5')} ${issue(`${REPO}/issues/5#issuecomment-6`, '#5 (comment)')} ${address(`${REPO}/issues/5/x`)}</p>\n`,
  ],
  [
    'a commit',
    'abcdef1234567 1234567',
    `<p><a href="${REPO}/commit/abcdef1234567" rel="nofollow"><code>abcdef1234</code></a> 1234567</p>\n`,
  ],
  [
    'no commit by the beginning of the name of a file',
    'abcdef1234567.txt abcdef1234567/x a/b@abcdef1234567.txt (abcdef1234567).',
    `<p>abcdef1234567.txt abcdef1234567/x a/b@abcdef1234567.txt (<a href="${REPO}/commit/abcdef1234567" rel="nofollow"><code>abcdef1234</code></a>).</p>\n`,
  ],
  ['references in code', '`@ann #1 a/b#3`', '<p><code>@ann #1 a/b#3</code></p>\n', 'comment'],
  [
    'addresses in code that is written as HTML',
    'a <code>http://x.y/a</code> <CODE class="x">b@x.y.org</CODE> http://x.y/d `e` <a href="f">http://x.y/f</a>',
    `<p>a <code>http://x.y/a</code> <code>b@x.y.org</code> ${address('http://x.y/d')} <code>e</code> <a href="f" rel="nofollow">http://x.y/f</a></p>\n`,
  ],
  [
    'addresses behind an end of code that never began',
    '</code> http://x.y/a',
    `<p> ${address('http://x.y/a')}</p>\n`,
  ],
  [
    'addresses, mentions, references and emoji in a block of HTML',
    '<p align="center">:rocket: @ann a/b#3 http://x.y/a &amp; <a href="z">@ann</a></p>',
    `<p align="center"><span class="emoji" aria-label="rocket" data-alias="rocket">🚀</span> ` +
      `<a href="http://host/ann" class="mention" rel="nofollow">@ann</a> ` +
      `${issue('http://host/a/b/issues/3', 'a/b#3')} ${address('http://x.y/a')} &amp; <a href="z" rel="nofollow">@ann</a></p>`,
  ],
  [
    'no such in a block of HTML that shows code',
    '<div><code>@ann</code> http://x.y/a</div>',
    '<div><code>@ann</code> http://x.y/a</div>',
  ],
  [
    'no such in a block with tags that only browsers take for tags',
    '<p width="5"align="left">@ann</p>',
    '<p width="5" align="left">@ann</p>',
  ],
  [
    'a block of code that is called as a block of HTML is marked',
    '```taken apart\n<b>@ann</b>\n```',
    '<pre class="code-block"><code class="chroma language-taken display">&lt;b&gt;@ann&lt;/b&gt;\n</code></pre>\n',
  ],
  [
    'references in code and links written as HTML',
    '<code>#1 :tada:</code> <A href="x">#1</A> #2',
    `<p><code>#1 :tada:</code> <a href="x" rel="nofollow">#1</a> ${issue(`${REPO}/issues/2`, '#2')}</p>\n`,
    'comment',
  ],
  ['a wiki link of a text', '[[Name|Link]]', '<p>[[Name|Link]]</p>\n', 'markdown'],
  [
    'wiki links without a text or a target',
    '[[|Link]] [[Name|]] [[|]]',
    `<p><a href="${REPO}/wiki/Link" rel="nofollow">Link</a> <a href="${REPO}/wiki/Name" rel="nofollow">Name</a> [[|]]</p>\n`,
  ],
  [
    'wiki links to names with signs that would end a path',
    '[[FAQ?]] [[C#|c #]] [[a#b.png]] [[d|http://x.y/e?f#g]]',
    `<p><a href="${REPO}/wiki/FAQ%3F" rel="nofollow">FAQ?</a> <a href="${REPO}/wiki/c%20%23" rel="nofollow">C#</a> ` +
      `<a href="${REPO}/a%23b.png" rel="nofollow"><img src="${REPO}/a%23b.png" title="a#b.png" alt="a#b.png"/></a> ` +
      `<a href="http://x.y/e?f#g" rel="nofollow">d</a></p>\n`,
  ],
  [
    'links whose texts are in brackets, which are no wiki links',
    '[[l]](x) [[l]](x) [[a|b]](<x y>) [[Name]] (x)',
    `<p>${`<a href="${REPO}/x" rel="nofollow">[l]</a> `.repeat(2)}<a href="${REPO}/x%20y" rel="nofollow">[a|b]</a> <a href="${REPO}/wiki/Name" rel="nofollow">Name</a> (x)</p>\n`,
  ],
  [
    'emoji',
    ':tada: :nope:',
    '<p><span class="emoji" aria-label="party popper" data-alias="tada">🎉</span> :nope:</p>\n',
  ],
  [
    'an emoji with a skin tone as one',
    '👍🏽 ☝🏿',
    `<p>${sign('thumbs up: medium skin tone', '+1', '👍🏽')} ${sign('index pointing up: dark skin tone', 'point_up', '☝🏿')}</p>\n`,
  ],
  [
    'joined emoji with skin tones as one',
    `🏃🏽${JOINER}♀\ufe0f 🧑🏻${JOINER}🤝${JOINER}🧑🏿 👩🏽${JOINER}❤\ufe0f${JOINER}👨🏽`,
    `<p>${[
      sign('woman running: medium skin tone', 'running_woman', `🏃🏽${JOINER}♀\ufe0f`),
      sign(
        'people holding hands: light skin tone, dark skin tone',
        'people_holding_hands',
        `🧑🏻${JOINER}🤝${JOINER}🧑🏿`,
      ),
      sign(
        'couple with heart: woman, man, medium skin tone',
        'couple_with_heart_woman_man',
        `👩🏽${JOINER}❤\ufe0f${JOINER}👨🏽`,
      ),
    ].join(' ')}</p>\n`,
  ],
  [
    'joined emoji that nobody named as text, and does not cut them',
    `🐓${JOINER}🔥 😄\ufe0e ❤${JOINER}🔥`,
    `<p>🐓${JOINER}🔥 😄\ufe0e ❤${JOINER}🔥</p>\n`,
  ],
  [
    'flags and keycaps beside others',
    '🇩🇪🇫🇷🇩 12\ufe0f\u20e3',
    `<p>${sign('flag: Germany', 'de', '🇩🇪')}${sign('flag: France', 'fr', '🇫🇷')}🇩 1${sign('keycap: 2', 'two', '2\ufe0f\u20e3')}</p>\n`,
  ],
];

function reference(number: number): string {
  return `<sup id="fnref:user-content-${number}"><a href="#fn:user-content-${number}" rel="nofollow">${number}</a></sup>`;
}

function back(number: number): string {
  return `<a href="#fnref:user-content-${number}" rel="nofollow">↩︎</a>`;
}

function sign(label: string, alias: string, characters: string): string {
  return `<span class="emoji" aria-label="${label}" data-alias="${alias}">${characters}</span>`;
}

function formula(text: string): string {
  return `<code class="language-math is-loading">${text}</code>`;
}

function keyword(word: string): string {
  return `<span class="issue-keyword">${word}</span>`;
}

function address(href: string): string {
  return `<a href="${href}" rel="nofollow">${href}</a>`;
}

function issue(href: string, words: string): string {
  return `<a href="${href}" class="ref-issue" rel="nofollow">${words}</a>`;
}

describe('markdown', () => {
  for (const [what, source, html, mode = 'gfm'] of CASES)
    it(`renders ${what}`, () => {
      expect(render(jobFor(source, mode))).to.equal(html);
    });

  it('renders any number of tasks, in a time that grows with their number', () => {
    expect(render(jobFor('- [ ] a\n'.repeat(20_000)))).to.contain('data-source-position="159994"');
  });

  it('renders any number of footnotes, in a time that grows with their number', async () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `[^${index}]`);
    const source = `${names.join('')}\n\n${names.map((name) => `${name}: x\n`).join('')}`;
    const taken = await processorTime(() =>
      expect(render(jobFor(source))).to.contain('<li id="fn:user-content-39999"><p>x '),
    );
    expect(taken).to.be.below(30_000);
  });

  for (const beginning of ['\\(', '[[', '$', ':', '@'])
    it(`renders any number of ${beginning} that nothing ends, in a time that grows with their number`, () => {
      expect(render(jobFor(beginning.repeat(200_000)))).to.match(/^<p>.{100000}/);
    });

  it('colours code again as before, and that of another language anew', () => {
    const inLanguage = (language: string) => render(jobFor(`\`\`\`${language}\nvar not\n\`\`\``));
    const go = inLanguage('go');
    expect(go).to.contain('<span class="k">var</span> not\n');
    expect(inLanguage('go')).to.equal(go);
    expect(inLanguage('python')).to.contain('var <span class="k">not</span>\n');
    expect(inLanguage('text')).to.contain('>var not\n');
  });

  it('renders code that begins as a colour and goes on, in a time that grows with its length', () => {
    const digits = '1'.repeat(600_000);
    expect(render(jobFor(`\`rgba(1,1,1,${digits}\``))).to.equal(`<p><code>rgba(1,1,1,${digits}</code></p>\n`);
  });

  it('keeps what is in more quotes and lists than it nests, as text', () => {
    expect(render(jobFor(`${'> '.repeat(102)}*a*`))).to.contain('<p>&gt; &gt; <em>a</em></p>');
    const stairs = Array.from({ length: 60 }, (_, step) => `${'  '.repeat(step)}- ${step}\n`).join('');
    const html = render(jobFor(`${stairs}- after`));
    expect(html).to.contain('<li>49\n- 50\n- 51\n');
    expect(html).to.contain('- 59</li>').and.to.contain('<li>after</li>');
  });

  it('takes no account whose name looks like a kind of reference for an issue', () => {
    const known = { accounts: ['ref-issue'], teams: [], repositories: [], commits: [] };
    expect(render(jobFor('fixes @ref-issue', 'gfm', { known }))).to.equal(
      '<p>fixes <a href="http://host/ref-issue" class="mention" rel="nofollow">@ref-issue</a></p>\n',
    );
  });

  it('renders half a pair of surrogates as what it is in UTF-8', () => {
    const half = '\ud800';
    expect(render(jobFor(`${half} [[${half}]]`, 'comment', { wiki: true }))).to.equal(
      `<p>\ufffd <a href="${REPO}/wiki/%EF%BF%BD" rel="nofollow">\ufffd</a></p>\n`,
    );
  });

  it('renders a heading with any number of blanks in it, in a time that grows with their number', () => {
    expect(render(jobFor(`# a${' '.repeat(1_000_000)}b`))).to.match(/^<h1 id="user-content-a-b">a +b<\/h1>/);
  });

  it('renders any number of blocks of formulas that nothing ends, in a time that grows with their number', () => {
    expect(render(jobFor('\\[\n'.repeat(20_000)))).to.match(/^<p>\[\n/);
  });

  it('does so too if every other block stands in a quote', async () => {
    const taken = await processorTime(() =>
      expect(render(jobFor('\\[\n\n> \\[\n\n'.repeat(50_000)))).to.match(/^<p>\[<\/p>\n<blockquote>/),
    );
    expect(taken).to.be.below(30_000);
  });

  for (const mode of ['markdown', 'gfm', 'comment'] as const)
    it(`renders an image of a wiki without a context, mode ${mode}`, () => {
      const html = render(jobFor('![a](x.png)', mode, { linkBase: '', wiki: true }));
      expect(html).to.contain('href="/wiki/raw/x.png"').and.to.contain('src="/wiki/raw/x.png"');
    });

  for (const address of ['.//x.org/y', 'a/..//x.org/y', '././/x.org/y'])
    it(`renders ${address} without a context as a path of the site`, () => {
      const html = render(jobFor(`[l](${address})`, 'gfm', { linkBase: '' }));
      expect(html).to.contain('href="/x.org/y"');
    });

  it('renders links below a context whose scheme is in capital letters', () => {
    const html = render(jobFor('[a](b)', 'gfm', { linkBase: 'HTTPS://host/x' }));
    expect(html).to.contain('href="https://host/x/b"');
  });

  it('looks for the end of a formula in each quote anew', () => {
    const html = render(jobFor('\\[\na\n\n> \\[\n> b\n> \\]'));
    expect(html).to.contain('<code class="chroma language-math display">b\n</code>');
  });

  for (const [source, html] of [
    ['[[Name|Link]]', `<p><a href="${REPO}/wiki/Link" rel="nofollow">Name</a></p>\n`],
    [
      '[[Category:Tools]] [[a:b/c.png]] [[m|mailto:a@b.c]]',
      `<p><a href="${REPO}/wiki/Category:Tools" rel="nofollow">Category:Tools</a> ` +
        `<a href="${REPO}/wiki/raw/a:b/c.png" rel="nofollow">` +
        `<img src="${REPO}/wiki/raw/a:b/c.png" title="c.png" alt="a:b/c.png"/></a> ` +
        `<a href="mailto:a@b.c" rel="nofollow">m</a></p>\n`,
    ],
    ['- [[Tips]]', `<ul>\n<li><a href="${REPO}/wiki/Tips" rel="nofollow">Tips</a></li>\n</ul>\n`],
    [
      '[[images/x.png]]',
      `<p><a href="${REPO}/wiki/raw/images/x.png" rel="nofollow">` +
        `<img src="${REPO}/wiki/raw/images/x.png" title="x.png" alt="images/x.png"/></a></p>\n`,
    ],
  ] as const)
    for (const mode of ['gfm', 'comment'] as const)
      it(`renders ${source} of a wiki, mode ${mode}`, () => {
        expect(render(jobFor(source, mode, { wiki: true }))).to.equal(html);
      });

  for (const kind of ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'])
    for (const mode of ['markdown', 'gfm', 'comment'] as const)
      it(`renders [!${kind}], mode ${mode}`, () => {
        const name = kind.toLowerCase();
        const html = render(jobFor(`> [!${kind}]\n> text`, mode));
        expect(html).to.match(
          new RegExp(
            `^<blockquote class="attention-header attention-${name}"><p class="attention-title"><svg class="attention-icon attention-${name} svg octicon-`,
          ),
        );
        expect(html).to.contain(
          `<strong class="attention-${name}">${kind.charAt(0)}${name.slice(1)}</strong></p>`,
        );
        expect(html).to.contain('<p>text</p>\n</blockquote>');
      });
});
