import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { tokenAt } from './token.js';

const BEFORE_DOLLAR = /[\s(]/;
const AFTER_DOLLAR = /[\s.,;:!?)'"\]}-]/;

/** Formulas, for the page to draw: `$x$`, `\(x\)`, `$$x$$` in a line; `$$` and `\[` alone on lines around a block. */
export function math(parser: MarkdownIt): void {
  const { escapeHtml } = parser.utils;
  parser.inline.ruler.before('escape', 'math', (state, silent) => {
    const found = inlineFormula(state);
    if (!found) return false;
    if (!silent) {
      const token = state.push('math_inline', 'code', 0);
      token.content = found.formula;
      token.markup = found.display ? 'display' : '';
    }
    state.pos = found.end;
    return true;
  });
  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      const lineAt = (line: number) =>
        state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trim();
      const opening = lineAt(startLine);
      const closing = opening.startsWith('$$') ? '$$' : opening.startsWith('\\[') ? '\\]' : undefined;
      if (closing === undefined || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
      const rest = opening.slice(2);
      let line = startLine;
      let content: string;
      if (rest === '') {
        if (isVain(state, closing, startLine)) return false;
        do line += 1;
        while (line < endLine && lineAt(line) !== closing && (state.sCount[line] ?? 0) >= state.blkIndent);
        if (line >= endLine || lineAt(line) !== closing) {
          searches.set(state, { ...searchOf(state, closing), from: startLine, until: line });
          return false;
        }
        content = state.getLines(startLine + 1, line, state.tShift[startLine] ?? 0, true);
      } else {
        if (!rest.endsWith(closing) || rest.indexOf(closing) !== rest.length - 2) return false;
        content = rest.slice(0, -2);
      }
      if (silent) return true;
      const token = state.push('math_block', 'code', 0);
      token.block = true;
      token.content = content;
      token.map = [startLine, line + 1];
      state.line = line + 1;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  parser.renderer.rules.math_inline = (tokens, index) => {
    const { content, markup } = tokenAt(tokens, index);
    const display = markup === '' ? '' : ' display';
    return `<code class="language-math${display} is-loading">${escapeHtml(content)}</code>`;
  };
  parser.renderer.rules.math_block = (tokens, index) =>
    `<pre class="code-block is-loading"><code class="chroma language-math display">${escapeHtml(tokenAt(tokens, index).content)}</code></pre>\n`;
}

/** Lines among which the end of a block was looked for in vain, by what stands within the same quotes and lists. */
interface VainSearch {
  readonly closing: string;
  readonly level: number;
  readonly indent: number;
  readonly from: number;
  readonly until: number;
}

/** The last one of a text: looking once more from each further beginning would take the square of their number. */
const searches = new WeakMap<StateBlock, VainSearch>();

const searchOf = ({ level, blkIndent }: StateBlock, closing: string) => ({
  closing,
  level,
  indent: blkIndent,
});

function isVain(state: StateBlock, closing: string, line: number): boolean {
  const last = searches.get(state);
  if (last?.closing !== closing || last.level !== state.level || last.indent !== state.blkIndent)
    return false;
  return line >= last.from && line < last.until;
}

interface Formula {
  readonly formula: string;
  readonly display: boolean;
  /** Where the text goes on. */
  readonly end: number;
}

/** Characters; looking further for an end that never comes would cost more with every beginning. */
const LONGEST = 2_000;

function inlineFormula({ src, pos, posMax }: StateInline): Formula | undefined {
  if (src.startsWith('\\(', pos)) {
    const within = src.slice(pos + 2, Math.min(posMax, pos + 2 + LONGEST));
    const length = within.indexOf('\\)');
    return length > 0
      ? { formula: unpadded(within.slice(0, length)), display: false, end: pos + length + 4 }
      : undefined;
  }
  if (src[pos] !== '$' || (pos > 0 && !BEFORE_DOLLAR.test(src[pos - 1] ?? ''))) return undefined;
  const mark = src.startsWith('$$', pos) ? '$$' : '$';
  const from = pos + mark.length;
  const to = src.indexOf(mark, from);
  const end = to + mark.length;
  if (to <= from || end > posMax) return undefined;
  const formula = src.slice(from, to);
  if (formula.trim() === '' || formula.includes('\n') || formula.includes('$')) return undefined;
  const next = src[end];
  return next === undefined || end === posMax || AFTER_DOLLAR.test(next)
    ? { formula: unpadded(formula), display: mark === '$$', end }
    : undefined;
}

/** One blank on both sides is there for the eye alone, as in spans of code. */
const unpadded = (formula: string): string =>
  formula.startsWith(' ') && formula.endsWith(' ') && formula.trim() !== '' ? formula.slice(1, -1) : formula;
