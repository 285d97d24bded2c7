import { memoised } from '../memoised.js';
import { automaton, type Fits, type State } from './automaton.js';

/**
 * Tells whether a glob matches a name with slashes. `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]` and
 * `{one,other}` have their usual meaning; `\` escapes the next character. Letter case counts. The time is bounded by
 * the lengths of both texts.
 */
export const globMatches = (glob: string, text: string): boolean => matcherKept(glob)(text);

/** How many matchers are cached, because the same few globs are matched against many texts. */
const MAX_GLOBS = 200;

const matcherKept = memoised(globMatcher, MAX_GLOBS);

/** Returns the function that tells whether one of these globs matches a text. It is not cached. */
export function globMatcher(...globs: readonly string[]): (text: string) => boolean {
  const states: State[] = [];
  const [begin, end]: [number[], number[]] = [[], []];
  for (const glob of globs) {
    begin.push(states.length);
    parse(glob, states);
    end.push(states.length - 1);
  }
  return automaton(states, { begin, end, named: ['', ...globs].join('/') });
}

/** Tells whether a text has characters with a special meaning in globs. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

/** Tells whether a set in a glob has a range that ends before it begins, as `[z-a]`: nothing would ever be in it. */
export const hasEmptyRange = (glob: string): boolean =>
  [...glob.matchAll(TOKEN)].some(([, , set = '']) => rangesOf(set).some(({ low, high }) => low > high));

/**
 * Matches stars, a question mark, a set (capturing negation and content), a brace or comma, or a (maybe escaped)
 * literal.
 */
const TOKEN = /\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|[{},]|\\?(.)/gsu;

/** Parses a glob into states, which it adds to a list in order; the last one accepts. */
function parse(glob: string, states: State[]): void {
  const tokens = [...glob.matchAll(TOKEN)];
  const paired = pairedBraces(tokens.map(([text]) => text));
  /** What the star before accepts: the next state stays for it. */
  let stays: Fits | undefined;
  const add = (fits?: Fits): State => {
    const state = { fits, stays, next: [] };
    states.push(state);
    stays = undefined;
    return state;
  };
  /** The open braces: the state at which the alternatives begin, and the states at their ends. */
  const groups: { readonly fork: State; readonly ends: State[] }[] = [];
  tokens.forEach(([text, not = '', set, literal = text.slice(-1)], index) => {
    const group = groups.at(-1);
    if (text.startsWith('*')) stays = text.length > 1 ? () => true : isNoSlash;
    else if (text === '?') add(isNoSlash);
    else if (set !== undefined) add(inSet(set, not === '!'));
    else if (text === '{' && paired.has(index)) {
      const fork = add();
      fork.next.push(states.length);
      groups.push({ fork, ends: [] });
    } else if (text === ',' && group) {
      const isEmpty = !stays && group.fork.next.at(-1) === states.length;
      group.ends.push(isEmpty ? group.fork : add());
      group.fork.next.push(states.length);
    } else if (text === '}' && group && paired.has(index)) {
      if (stays) group.ends.push(add()); // what follows is not only behind this star
      for (const end of group.ends) end.next.push(states.length);
      groups.pop();
    } else add(isOne(literal));
  });
  add();
}

/** Returns the indexes of braces that belong together; other braces are literals. */
function pairedBraces(tokens: readonly string[]): ReadonlySet<number> {
  const open: number[] = [];
  const paired = new Set<number>();
  tokens.forEach((token, index) => {
    if (token === '{') open.push(index);
    const opening = token === '}' ? open.pop() : undefined;
    if (opening !== undefined) paired.add(opening).add(index);
  });
  return paired;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const SLASH = codeOf('/');
const isNoSlash: Fits = (code) => code !== SLASH;

function isOne(character: string): Fits {
  const only = codeOf(character);
  return (code) => code === only;
}

/** Matches the content of `[…]`: characters and ranges, whose ends may be escaped. A slash never fits, even if negated. */
function inSet(set: string, negated: boolean): Fits {
  const ranges = rangesOf(set);
  return (code) => code !== SLASH && ranges.some(({ low, high }) => low <= code && code <= high) !== negated;
}

/** Returns the ranges of a set's content; a character alone is a range of its own. */
const rangesOf = (set: string) =>
  [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, low = '', high = low]) => ({
    low: codeOf(low),
    high: codeOf(high),
  }));
