/*
 * A glob is read into a nondeterministic automaton, and a text is taken through all of its states at once, as bits of a
 * number. So the time is bounded by the lengths of both, however many stars and alternatives there are: a regular
 * expression made of somebody's glob could take exponential time.
 */

/**
 * Tells whether a glob matches a name with slashes. `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]` and
 * `{one,other}` have their usual meaning; `\` escapes the next character. Letter case counts. The time is bounded by
 * the lengths of both texts.
 */
export const globMatches = (glob: string, text: string): boolean => matcherKept(glob)(text);

/** How many matchers are cached, because the same few globs are matched against many texts. */
const MAX_GLOBS = 200;
/** For how many characters, and for how many sets of states, a matcher caches its results. */
const MAX_STEPS = 250;

const matcherKept = memoised(globMatcher, MAX_GLOBS);

/** Returns the matcher of a glob, for matching many texts. It is not cached. */
export function globMatcher(glob: string): (text: string) => boolean {
  const states = parse(glob);
  const { initial, empty, closureOf } = closuresOf(states);
  const accepting = bit(states.length);
  const stepOn = memoised((character: string) => stepOf(states, character), MAX_STEPS);
  return (text) => {
    let reached = initial;
    for (const character of text) {
      if (reached === NONE) return false;
      const { leads, stays } = stepOn(character);
      const next = ((reached & leads) << 1n) | (reached & stays);
      reached = (next & empty) === NONE ? next : closureOf(next);
    }
    return (reached & accepting) !== NONE;
  };
}

/** Tells whether a text has characters with a special meaning in globs. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

/** Tells whether a set in a glob has a range that ends before it begins, as `[z-a]`: nothing would ever be in it. */
export const hasEmptyRange = (glob: string): boolean =>
  [...glob.matchAll(TOKEN)].some(([, , set = '']) => rangesOf(set).some(({ low, high }) => low > high));

type Fits = (character: string) => boolean;

/** A state of the automaton. A state without `fits` is empty: the states in `next` are reached without a character. */
interface State {
  /** The characters that lead to the next state in the list. */
  readonly fits?: Fits;
  /** The characters that a star accepts, any number of times. */
  readonly stays?: Fits;
  /** The indexes of the states that follow; several at the beginning of alternatives. */
  next: number[];
}

/**
 * Matches stars, a question mark, a set (capturing negation and content), a brace or comma, or a (maybe escaped)
 * literal.
 */
const TOKEN = /\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|[{},]|\\?(.)/gsu;

/** Parses a glob into its states, in order; the accepting state comes after the last one. */
function parse(glob: string): readonly State[] {
  const tokens = [...glob.matchAll(TOKEN)];
  const paired = pairedBraces(tokens.map(([text]) => text));
  const states: State[] = [];
  const add = (state: Omit<State, 'next'>): State => {
    const added = { ...state, next: [states.length + 1] };
    states.push(added);
    return added;
  };
  /** The open braces: the state at which the alternatives begin, and the states at their ends. */
  const groups: { readonly fork: State; readonly ends: State[] }[] = [];
  tokens.forEach(([text, not = '', set, literal = text.slice(-1)], index) => {
    const group = groups.at(-1);
    if (text.startsWith('*')) add({ stays: text.length > 1 ? () => true : isNoSlash });
    else if (text === '?') add({ fits: isNoSlash });
    else if (set !== undefined) add({ fits: inSet(set, not === '!') });
    else if (text === '{' && paired.has(index)) groups.push({ fork: add({}), ends: [] });
    else if (text === ',' && group) {
      group.ends.push(add({}));
      group.fork.next.push(states.length);
    } else if (text === '}' && paired.has(index)) {
      for (const end of group?.ends ?? []) end.next = [states.length];
      groups.pop();
    } else add({ fits: (character) => character === literal });
  });
  return states;
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

const isNoSlash: Fits = (character) => character !== '/';

/** Matches the content of `[…]`: characters and ranges, whose ends may be escaped. A slash never fits, even if negated. */
function inSet(set: string, negated: boolean): Fits {
  const ranges = rangesOf(set);
  return (character) =>
    character !== '/' && ranges.some(({ low, high }) => low <= character && character <= high) !== negated;
}

/** Returns the ranges of a set's content; a character alone is a range of its own. */
const rangesOf = (set: string) =>
  [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, low = '', high = low]) => ({ low, high }));

/** A set of states: each state has the bit of its index. */
type States = bigint;

const NONE: States = 0n;
const bit = (index: number): States => 1n << BigInt(index);

/** The effect of a character: the states from which it leads to the next state, and those in which it stays. */
interface Step {
  readonly leads: States;
  readonly stays: States;
}

function stepOf(states: readonly State[], character: string): Step {
  let [leads, stays] = [NONE, NONE];
  states.forEach((state, index) => {
    if (state.fits?.(character)) leads |= bit(index);
    if (state.stays?.(character)) stays |= bit(index);
  });
  return { leads, stays };
}

/** Finds the empty states, and returns a function that adds to a set all states that its empty ones lead to. */
function closuresOf(states: readonly State[]) {
  /** By index: the state, and all states that are reached from it without a character. */
  const closures = [...states.map((_, index) => bit(index)), bit(states.length)];
  let empty = NONE;
  /** Empty states that lead only to the next state, as most stars do: a single shift handles all of them. */
  let steps = NONE;
  const jumps: { readonly from: States; readonly to: States }[] = [];
  // Empty states only lead forward, so that going backward, the closures of all later states are known.
  for (let index = states.length - 1; index >= 0; index -= 1) {
    const { fits, next } = states[index] ?? { next: [] };
    if (fits) continue;
    const closure = next.reduce((all, each) => all | (closures[each] ?? NONE), bit(index));
    closures[index] = closure;
    empty |= bit(index);
    if (closure === (bit(index) | bit(index + 1))) steps |= bit(index);
    else jumps.push({ from: bit(index), to: closure });
  }
  const closureOf = memoised(
    (reached: States) =>
      jumps.reduce(
        (all, { from, to }) => ((reached & from) === NONE ? all : all | to),
        reached | ((reached & steps) << 1n),
      ),
    MAX_STEPS,
  );
  return { initial: closures[0] ?? NONE, empty, closureOf };
}

/** Caches the values of `make`. Clears the cache when it holds `most` of them. */
function memoised<Key, Value extends object | bigint>(
  make: (key: Key) => Value,
  most: number,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size === most) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
