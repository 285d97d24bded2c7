import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { tokenAt } from './token.js';

const BEFORE_DOLLAR = /[\s(]/;
const AFTER_DOLLAR = /[\s.,;:!?)'"\]}-]/;

/**
 * Marks formulas, which the page draws: `$x$`, `\(x\)` and `$$x$$` inline, `$$` and `\[` on lines of their own as blocks.
 */
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
      const found = blockFormula(state, startLine, endLine);
      if (!found || silent) return found !== undefined;
      const token = state.push('math_block', 'code', 0);
      token.block = true;
      token.content = found.formula;
      token.map = [startLine, found.end];
      state.line = found.end;
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

interface BlockFormula {
  readonly formula: string;
  /** The line after the block. */
  readonly end: number;
}

function blockFormula(state: StateBlock, startLine: number, endLine: number): BlockFormula | undefined {
  const opening = lineAt(state, startLine);
  const closing = CLOSINGS.get(opening.slice(0, 2));
  const isIndentedCode = (state.sCount[startLine] ?? 0) - state.blkIndent >= 4;
  if (closing === undefined || isIndentedCode) return undefined;
  const rest = opening.slice(2);
  if (rest === '') return formulaBelow(state, closing, startLine, endLine);
  const isWhole = rest.endsWith(closing) && rest.indexOf(closing) === rest.length - 2;
  return isWhole ? { formula: rest.slice(0, -2), end: startLine + 1 } : undefined;
}

/** The closing marks of blocks, by opening mark. */
const CLOSINGS: ReadonlyMap<string, string> = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
]);

/** Finds the formula between the opening and closing line of a block, within the same quotes and lists. */
function formulaBelow(
  state: StateBlock,
  closing: string,
  startLine: number,
  endLine: number,
): BlockFormula | undefined {
  const vain = vainSearches(state);
  const kind = `${closing} ${state.level} ${state.blkIndent}`;
  const last = vain.get(kind);
  if (last && startLine >= last.from && startLine < last.until) return undefined;
  const goesOn = (line: number) =>
    line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent);
  let line = startLine + 1;
  while (goesOn(line) && lineAt(state, line) !== closing) line += 1;
  if (line >= endLine || lineAt(state, line) !== closing) {
    vain.set(kind, { from: startLine, until: line });
    return undefined;
  }
  const formula = state.getLines(startLine + 1, line, state.tShift[startLine] ?? 0, true);
  return { formula, end: line + 1 };
}

const lineAt = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();

/** Lines between which a block's closing mark was searched without success. */
interface VainSearch {
  readonly from: number;
  readonly until: number;
}

const searches = new WeakMap<StateBlock, Map<string, VainSearch>>();

/**
 * The last failed search of a text for each closing mark, by the quotes and lists of that search. Without it, a text of
 * opening marks alone would be searched to its end from each of them, in quadratic time.
 */
function vainSearches(state: StateBlock): Map<string, VainSearch> {
  let known = searches.get(state);
  if (!known) searches.set(state, (known = new Map<string, VainSearch>()));
  return known;
}

interface Formula {
  readonly formula: string;
  readonly display: boolean;
  /** The position after the formula. */
  readonly end: number;
}

/** The maximum length of a formula in characters, so that unclosed opening marks do not each cause a long search. */
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

/** Removes one blank on each side, which only serves readability, as in code spans. */
const unpadded = (formula: string): string =>
  formula.startsWith(' ') && formula.endsWith(' ') && formula.trim() !== '' ? formula.slice(1, -1) : formula;
