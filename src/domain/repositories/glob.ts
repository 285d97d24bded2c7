/*
 * A glob is read into a nondeterministic automaton, and a text is taken through all of its states at once, as bits of a
 * number. So the time is bounded by the lengths of both, however many stars and alternatives there are: a regular
 * expression made of somebody's glob could take exponential time.
 */

/**
 * Globs over names with slashes: `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]`, `{one,other}` and `\`
 * before a character that stands for itself. Letter case counts. The time is bounded by the lengths of both texts.
 */
export const globMatches = (glob: string, text: string): boolean => matcherKept(glob)(text);

/** Globs whose matchers are kept: the same few are asked about many texts. */
const MAX_GLOBS = 200;
/** Characters, and sets of states, for which a matcher keeps what it worked out. */
const MAX_STEPS = 250;

const matcherKept = memoised(globMatcher, MAX_GLOBS);

/** As `globMatches`, for many texts at once; it is not kept. */
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

/** Whether a text says more than its own letters. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

type Fits = (character: string) => boolean;

/** A state of the automaton. Without `fits` it is an empty one: those that follow are reached without a character. */
interface State {
  /** Leads on to the state after it in the list. */
  readonly fits?: Fits;
  /** What may stand here any number of times: a star's. */
  readonly stays?: Fits;
  /** The states that follow, by their indexes; several where alternatives begin. */
  next: number[];
}

/** Stars, a question mark, a set (its negation and its content apart), a brace or comma, or a literal, escaped or not. */
const TOKEN = /\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|[{},]|\\?(.)/gsu;

/** The states of a glob, in order; the accepting one comes after the last of them. */
function parse(glob: string): readonly State[] {
  const tokens = [...glob.matchAll(TOKEN)];
  const paired = pairedBraces(tokens.map(([text]) => text));
  const states: State[] = [];
  const add = (state: Omit<State, 'next'>): State => {
    const added = { ...state, next: [states.length + 1] };
    states.push(added);
    return added;
  };
  /** The braces that are open: the state from which each alternative begins, and the one at the end of each. */
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

/** Which of the tokens are braces that belong together; the others stand for themselves. */
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

/** The content of `[…]`: single characters and ranges, each end escaped or not. A slash is in no set, nor outside of one. */
function inSet(set: string, negated: boolean): Fits {
  const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, low = '', high = low]) => ({
    low,
    high,
  }));
  return (character) =>
    character !== '/' && ranges.some(({ low, high }) => low <= character && character <= high) !== negated;
}

/** A set of states: the bit of each, by its index. */
type States = bigint;

const NONE: States = 0n;
const bit = (index: number): States => 1n << BigInt(index);

/** What a character does: the states from which it leads on to the next one, and those in which it stays. */
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

/** Which states are empty, and how to add to a set all that is reached from its empty ones without a character. */
function closuresOf(states: readonly State[]) {
  /** By index: the state, and all that is reached from it without a character. */
  const closures = [...states.map((_, index) => bit(index)), bit(states.length)];
  let empty = NONE;
  /** Empty states that lead to the next one alone, as most stars do: one shift serves all of them. */
  let steps = NONE;
  const jumps: { readonly from: States; readonly to: States }[] = [];
  // Empty states lead forward alone, so from the last one on, what follows is known before.
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

/** Makes each value once; forgets all of them when it has kept so many. */
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
