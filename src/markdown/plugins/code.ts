import highlighter from 'highlight.js/lib/common';
import { LRUCache } from 'lru-cache';
import type { MarkdownIt } from 'markdown-it';
import { colourIn } from '../colours.js';
import { environmentOf } from '../environment.js';
import { tokenAt } from './token.js';

/** The maximum length of a coloured block; longer ones stay plain, because colouring them would take too long. */
const MAX_COLOURED = 65_536;

/** What was coloured, by language and code: pages are read many times, and a preview shows a text at each pause. */
const remembered = new LRUCache<string, string>({
  maxSize: 2 ** 20, // characters
  sizeCalculation: (html, key) => key.length + html.length,
});

/** Short class names, as used by the style sheets of forges. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  literal: 'kc',
  type: 'kt',
  built_in: 'nb',
  title: 'nf',
  function_: 'nf',
  class_: 'nc',
  attr: 'na',
  attribute: 'na',
  variable: 'nv',
  symbol: 'ss',
  string: 's',
  regexp: 'sr',
  subst: 'si',
  number: 'm',
  operator: 'o',
  punctuation: 'p',
  comment: 'c',
  doctag: 'cs',
  meta: 'cp',
  tag: 'nt',
  name: 'nt',
  property: 'py',
  addition: 'gi',
  deletion: 'gd',
  section: 'gh',
  emphasis: 'ge',
  strong: 'gs',
};

/** The name of a language, with which what stands behind the fence begins. */
const LANGUAGE = /^[\p{L}\p{N}_+#.-]+/u;

/** Renders blocks and spans of code, coloured if the language is known. Diagrams and formulas are left to the page. */
export function code(parser: MarkdownIt): void {
  const { rules } = parser.renderer;
  const { escapeHtml, unescapeAll } = parser.utils;
  rules.code_block = (tokens, index) => block(escapeHtml(tokenAt(tokens, index).content), 'text');
  rules.fence = (tokens, index, _options, env) => {
    const { content, info } = tokenAt(tokens, index);
    const [name = ''] = LANGUAGE.exec(unescapeAll(info).trim()) ?? [];
    const language = name.toLowerCase() || 'text';
    const html = coloured(content, language);
    return block(
      html === undefined ? escapeHtml(content) : environmentOf(env).own.placeholder(html),
      language,
    );
  };
  rules.code_inline = (tokens, index) => {
    const { content } = tokenAt(tokens, index);
    const colour = colourIn(content);
    const preview = colour ? `<span class="color-preview" style="background-color: ${colour}"></span>` : '';
    return `<code>${escapeHtml(content)}${preview}</code>`;
  };
}

function block(html: string, language: string): string {
  const loading = language === 'mermaid' || language === 'math' ? ' is-loading' : '';
  return `<pre class="code-block${loading}"><code class="chroma language-${language} display">${html}</code></pre>\n`;
}

/** Colours code; undefined if its language is unknown, or it is too long. */
function coloured(content: string, language: string): string | undefined {
  if (language === 'text' || content.length > MAX_COLOURED || !highlighter.getLanguage(language))
    return undefined;
  const key = `${language} ${content}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const html = highlighted(content, language);
  if (!IS_COLOURED.test(html)) return undefined;
  remembered.set(key, html);
  return html;
}

function highlighted(content: string, language: string): string {
  const { value } = highlighter.highlight(content, { language, ignoreIllegals: true });
  return value.replace(CLASS_OR_QUOTE, (found, names: string | undefined) =>
    names === undefined ? (found === '&quot;' ? '"' : "'") : classFor(names.split(' ')),
  );
}

/** What is written otherwise than the highlighter does: classes, and quotes, which need no escape in text. */
const CLASS_OR_QUOTE = / class="([^"]*)"|&quot;|&#x27;/g;

/** Nothing but text and spans with a short class, which is all that is not judged by the sanitiser. */
const IS_COLOURED = /^[^<>]*(?:<(?:span(?: class="[a-z]{1,2}")?|\/span)>[^<>]*)*$/;

/** Returns the short class of the last name that has one, which is the most specific. */
function classFor(names: readonly string[]): string {
  const short = names.map((name) => CLASSES[name.replace('hljs-', '')]).findLast(Boolean);
  return short === undefined ? '' : ` class="${short}"`;
}
