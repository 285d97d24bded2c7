import markdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { tokenAt } from './token.js';

/** Blocks that show code, or are not shown, stay as they are. */
const AS_WRITTEN = /<(?:code|pre|script|style|textarea)[\s/>]/i;
const TAKEN_APART = 'taken apart';

/**
 * Takes apart blocks of HTML into tags and texts, so that addresses, mentions, references and emoji are found in these texts
 * as well.
 */
export function htmlTexts(parser: MarkdownIt): void {
  const { inline } = markdownIt();
  inline.ruler.enableOnly(['text', 'linkify', 'html_inline', 'entity']);
  inline.ruler2.enableOnly([]);
  const { core, renderer } = parser;
  core.ruler.after('inline', 'html_texts', ({ tokens, env }) => {
    for (const token of tokens) {
      if (token.type !== 'html_block' || AS_WRITTEN.test(token.content)) continue;
      const children: Token[] = [];
      inline.parse(token.content, parser, env, children);
      // The parser's own rules go through the texts of inline tokens only.
      if (!children.some(isNoTag)) Object.assign(token, { type: 'inline', info: TAKEN_APART, children });
    }
  });
  core.ruler.after('text_join', 'html_blocks', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'inline' && token.info === TAKEN_APART) token.type = 'html_block';
  });
  renderer.rules.html_block = (tokens, index, options, env) => {
    const { children, content } = tokenAt(tokens, index);
    return children ? renderer.renderInline(children, options, env) : content;
  };
}

/** Tells whether a text has what a browser may take for a tag, although it is none of markdown's. */
const isNoTag = ({ type, content }: Token): boolean => type === 'text' && content.includes('<');
