import { expect } from 'chai';
import { render } from '../../src/markdown/render.js';
import { WITHOUT_CONTENT } from '../../src/markdown/sanitise.js';
import { jobFor } from './jobs.js';

const CASES: readonly (readonly [what: string, source: string, html: string])[] = [
  [
    'events',
    '<a href="http://x.y" onblur="alert(1)">t</a>',
    '<p><a href="http://x.y" rel="nofollow">t</a></p>\n',
  ],
  ['classes of code', '<code class="random string">t</code>', '<p><code>t</code></p>\n'],
  ['languages of code', '<code class="language-go">t</code>', '<p><code class="language-go">t</code></p>\n'],
  ['inputs', '<input type="hidden"><input>', '<p></p>\n'],
  ['boxes', 'a<input type="checkbox" checked>', '<p>a<input type="checkbox" checked=""></p>\n'],
  ['keys', '<kbd>Ctrl</kbd>', '<p><kbd>Ctrl</kbd></p>\n'],
  [
    'colours',
    '<span style="color: red; position: fixed">t</span>',
    '<p><span style="color: red">t</span></p>\n',
  ],
  ['colours of code', '<code style="color: red">t</code>', '<p><code>t</code></p>\n'],
  ['scripts in links', '<a href="javascript:alert(1)">t</a>', '<p>t</p>\n'],
  ['scripts in links with a class', '<a class="mention" href="javascript:alert(1)">t</a>', '<p>t</p>\n'],
  [
    'classes of links',
    '<a class="mention">t</a><a class="other">u</a>',
    '<p><a class="mention">t</a>u</p>\n',
  ],
  [
    'classes word by word and in their order',
    '<i class="dropdown icon">a</i><i class="icon dropdown">b</i><span class="emoji dropdown">c</span><span class="emoji">d</span>',
    '<p><i>a</i><i class="icon dropdown">b</i><span>c</span><span class="emoji">d</span></p>\n',
  ],
  [
    'classes of code blocks and tasks',
    '<ul><li class="task-list-item">b</li><li class="task-list-item big">c</li></ul><pre class="code-block wide">d</pre>',
    '<ul><li class="task-list-item">b</li><li>c</li></ul><pre>d</pre>',
  ],
  [
    'names of emoji',
    '<span class="emoji" data-alias="+1">a</span><span class="emoji" data-alias="(+!)">b</span>',
    '<p><span class="emoji" data-alias="+1">a</span><span class="emoji">b</span></p>\n',
  ],
  ['scripts in links of markdown', '[t](javascript:alert(1))', '<p>t</p>\n'],
  ['scripts in letter case', '<a href="JaVaScRiPt:alert(1)">t</a>', '<p>t</p>\n'],
  ['scripts with blanks', '<a href=" java\nscript:alert(1)">t</a>', '<p>t</p>\n'],
  ['scripts in entities', '<a href="&#106;avascript:alert(1)">t</a>', '<p>t</p>\n'],
  [
    'scripts in images after a blank',
    'a<img src=" javascript:alert(1)"><img src="&#1;javascript:alert(1)">',
    '<p>a</p>\n',
  ],
  ['places to break a word', 'a<wbr>b', '<p>a<wbr>b</p>\n'],
  ['data', '<a href="data:text/html,x">t</a> ![i](data:image/png;base64,x)', '<p>t </p>\n'],
  ['scripts', 'a<script>alert(1)</script>b', '<p>ab</p>\n'],
  ['styles', 'a<style>p{}</style>b', '<p>ab</p>\n'],
  [
    'a script of a quote, which ends with it',
    '> <script>\n> alert(1)\n\nb',
    '<blockquote>\n</blockquote>\n<p>b</p>\n',
  ],
  [
    'scripts that a block begins and a later one ends',
    '<div><script>\n\na\n\n<p></script>b</div>',
    '<div>b</div>',
  ],
  [
    'text fields',
    'a <textarea title="<textarea>">*b*</textarea> c <textarea> *d*\n\n## e',
    '<p>a <em>b</em> c  <em>d</em></p>\n<h2 id="user-content-e">e</h2>\n',
  ],
  ['the names of text fields in attributes', '<p title="<textarea>">a', '<p title="&lt;textarea&gt;">a</p>'],
  ['frames', 'a<iframe src="http://x">t</iframe>b', '<p>atb</p>\n'],
  ['pictures', '<svg onload="alert(1)"><path d="M0"/></svg>t', '<p>t</p>\n'],
  ['ids', '<p id="top">t</p>', '<p id="user-content-top">t</p>'],
  [
    'anchors of links in HTML, which get the prefix of ids as those of markdown do',
    '<a href="#a">a</a> <a href="#user-content-a">b</a> <a href="#">c</a>',
    '<p><a href="#user-content-a" rel="nofollow">a</a> <a href="#user-content-a" rel="nofollow">b</a> <a href="#" rel="nofollow">c</a></p>\n',
  ],
  [
    'what looks like a style and is none',
    '<span title="a style=" aria-label="b:c" style="color:red">t</span>',
    '<p><span title="a style=" aria-label="b:c" style="color: red">t</span></p>\n',
  ],
  [
    'attributes with strange names',
    '<p title="a style=" aria-x:onclick="alert(1)" aria-"onclick="b" aria-label="c">t</p>',
    '<p title="a style=" aria-label="c">t</p>',
  ],
  [
    'anchors by name, whose ids links lead to',
    '<a name="x"></a>[t](#x)<a name="y" id="z"></a>',
    '<p><a id="user-content-x"></a><a href="#user-content-x" rel="nofollow">t</a><a id="user-content-z"></a></p>\n',
  ],
  ['names of other elements', '<p name="top">t</p>', '<p>t</p>'],
  [
    'names that scripts of a page could take for parts of it',
    '<img src="https://example.org/a" name="body"><input type="checkbox" name="action">',
    '<p><img src="https://example.org/a"><input type="checkbox"></p>\n',
  ],
  ['unclosed elements', '<div><b>t', '<div><b>t</b></div>'],
  [
    'a table straight within a table, which would end it',
    '<table><div>a<table><tr><td>b</td></tr></table></div></table>',
    '<table><div>a<tr><td>b</td></tr></div></table>',
  ],
  ['a row within a cell', '<table><td><p>a<tr>b</tr></p></td></table>', '<table><td><p>ab</p></td></table>'],
  [
    'items within items that are no list',
    '<ul><li><div>a<li>b</li></div></li></ul><dl><dd><div>c<dt>d</dt></div></dd></dl>',
    '<ul><li><div>ab</div></li></ul><dl><dd><div>cd</div></dd></dl>',
  ],
  [
    'an annotation straight within an item, which would end it',
    '<ruby>a<rt>b</rt><ul><li>c<rt>d</rt></li></ul></ruby>',
    '<p><ruby>a<rt>b</rt><ul><li>cd</li></ul></ruby></p>\n',
  ],
  [
    'tables in cells and lists in items, and parts of tables without one',
    '<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table><ul><li><div><ul><li>b</li></ul></div></li></ul><td>c</td>',
    '<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table><ul><li><div><ul><li>b</li></ul></div></li></ul>c',
  ],
  [
    'items without a list, terms without one, and rows without a table',
    '<li>a</li><dt>b</dt><dd>c</dd><tr><td>d</td></tr><ul><td><li>e</li></td></ul><caption>f</caption>',
    'abcd<ul><li>e</li></ul>f',
  ],
  [
    'tags of pages',
    '<HTML lang="x"><head>a</head><header>b</header></html>',
    '&lt;HTML lang="x"&gt;&lt;head&gt;a&lt;/head&gt;b&lt;/html&gt;',
  ],
  ['NUL', 'a\0b', '<p>ab</p>\n'],
];

describe('sanitising', () => {
  for (const [what, source, html] of CASES)
    it(`judges ${what}`, () => {
      expect(render(jobFor(source, 'markdown'))).to.equal(html);
    });

  for (const name of WITHOUT_CONTENT) {
    it(`shows <${name}> of a sentence as text, if nothing in it ends it`, () => {
      const source = `Why <${name}> *here*? \`</${name}>\`\n\n- b<${name}>a</${name}>\n- c</${name}>`;
      expect(render(jobFor(source))).to.equal(
        `<p>Why &lt;${name}&gt; <em>here</em>? <code>&lt;/${name}&gt;</code></p>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n`,
      );
    });

    it(`shows <${name}> of a block of HTML as text, if nothing ends it`, () => {
      const html = render(jobFor(`<div>Why <${name}>?</div>\n\n*later*`));
      expect(html).to.equal(`<div>Why &lt;${name}&gt;?</div>\n<p><em>later</em></p>\n`);
    });
  }

  it('judges any number of such tags, in a time that grows with their number', () => {
    expect(render(jobFor(`<div>${'<xmp>'.repeat(200_000)}`))).to.match(
      /^<div>(?:&lt;xmp&gt;){200000}<\/div>$/,
    );
  });

  it('lets no text forge what the renderer puts in', () => {
    const html = render(
      jobFor('<i class="own0-0"></i><svg class="attention-icon"></svg>\n\n> [!NOTE]\n> b', 'gfm'),
    );
    expect(html.match(/<svg/g)).to.have.lengthOf(1);
    expect(html).to.match(/^<p><i><\/i><\/p>/);
  });

  it('puts coloured code where elements may stand, not into an attribute that a text has opened before it', () => {
    const code = '```js\nlet x = "onclick=alert(1) ";\n```';
    const html = render(jobFor(`<div title='\n\n${code}\n\n'>t</div>`, 'gfm'));
    expect(html).to.match(
      /^<div title="[^"<>]*&lt;pre class=[^"<>]*display&quot;&gt;&lt;\/code&gt;[^"<>]*">/,
    );
    expect(html).not.to.contain('onclick');
  });

  it('shows code that is nested too deeply for elements as text, without its colours', () => {
    const html = render(jobFor(`${'<div>'.repeat(300)}\n\n\`\`\`js\nlet a = "<b>";\n\`\`\``, 'gfm'));
    expect(html.replaceAll(/<\/?div>/g, '')).to.equal('\nlet a = "&lt;b&gt;";\n\n');
  });

  it('ends anchors before headings where they begin, so that any number nests nothing too deeply', () => {
    const html = render(jobFor('<a name="b">\n\n## c\n\n'.repeat(300), 'gfm'));
    expect(html).to.match(/^(?:<a id="user-content-b"><\/a>\n<h2 id="user-content-c[-\d]*">c<\/h2>\n){300}$/);
  });

  it('shows the tags and quotes of coloured code as text', () => {
    const code = `\`\`\`html\n<script title="a">alert('&amp;')</script>\n\`\`\``;
    const text = render(jobFor(code, 'gfm')).replace(/<span(?: class="[a-z]+")?>|<\/span>/g, '');
    expect(text).to.equal(
      '<pre class="code-block"><code class="chroma language-html display">' +
        `&lt;script title="a"&gt;alert('&amp;amp;')&lt;/script&gt;\n</code></pre>\n`,
    );
  });
});
