import markdownIt, { type MarkdownIt } from 'markdown-it';
import definitionLists from 'markdown-it-deflist';
import type { MarkdownMode } from './job.js';
import { addresses } from './plugins/addresses.js';
import { alerts } from './plugins/alerts.js';
import { anchors } from './plugins/anchors.js';
import { bareAddresses } from './plugins/bare-addresses.js';
import { code } from './plugins/code.js';
import { emoji } from './plugins/emoji.js';
import { footnotes } from './plugins/footnotes.js';
import { headings } from './plugins/headings.js';
import { htmlCode } from './plugins/html-code.js';
import { htmlTexts } from './plugins/html-texts.js';
import { mailAddresses } from './plugins/mail-addresses.js';
import { math } from './plugins/math.js';
import { nesting } from './plugins/nesting.js';
import { references } from './plugins/references.js';
import { strikethrough } from './plugins/strikethrough.js';
import { tables } from './plugins/tables.js';
import { taskLists } from './plugins/task-lists.js';
import { unclosed } from './plugins/unclosed.js';
import { wikiLinks } from './plugins/wiki-links.js';

const parsers = new Map<MarkdownMode, MarkdownIt>();

/** Returns the parser of a mode. Each is made only once, because everything about a text is in its environment. */
export function parserOf(mode: MarkdownMode): MarkdownIt {
  const made = parsers.get(mode) ?? makeParser(mode);
  parsers.set(mode, made);
  return made;
}

function makeParser(mode: MarkdownMode): MarkdownIt {
  const isDocument = mode === 'markdown';
  const parser = markdownIt({
    html: true,
    linkify: !isDocument,
    breaks: mode !== 'gfm',
    xhtmlOut: true,
  });
  // The sanitiser checks addresses, and keeps the text of links that it refuses.
  parser.validateLink = () => true;
  // Addresses are shown as written.
  parser.normalizeLinkText = (address) => address;
  parser
    .use(nesting)
    .use(definitionLists)
    .use(footnotes)
    .use(headings)
    .use(tables)
    .use(taskLists)
    .use(code)
    .use(math)
    .use(alerts)
    .use(addresses)
    .use(anchors)
    .use(strikethrough);
  if (!isDocument) {
    parser.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true, urlAuth: true });
    parser.linkify.add('ftp:', null).add('//', null);
    parser.use(htmlTexts).use(htmlCode).use(bareAddresses).use(mailAddresses).use(wikiLinks).use(emoji);
  }
  parser.use(references).use(unclosed);
  return parser;
}
