import { memoised } from '../memoised.js';

/*
 * A nondeterministic automaton takes a text through all of its states at once, as bits of words. So the time is bounded
 * by the lengths of both, whatever they are: a regular expression made of somebody's glob could take exponential time.
 */

/** Tells whether a character, as its code point, is one of those that are meant. */
export type Fits = (code: number) => boolean;

/** A state of an automaton. */
export interface State {
  /** The characters that lead to the next state in the list; undefined if none do. */
  readonly fits: Fits | undefined;
  /** The characters that leave it as it is, any number of times; undefined if none do. */
  readonly stays: Fits | undefined;
  /** The states that are reached from it without a character: later ones, by index. */
  readonly next: number[];
}

/** How texts are taken through states. */
export interface Reading {
  /** The indexes of the states at one of which a text begins. */
  readonly begin: readonly number[];
  /** The indexes of the states at one of which it must end. */
  readonly end: readonly number[];
  /** A text with every character that the states treat unlike the one before or after it. */
  readonly named: string;
}

/** How many bits of steps an automaton caches: more than enough for all steps of a thousand states. */
const MAX_BITS = 4 * 1024 * 1024;

/** Returns the function that tells whether states take a whole text from a beginning to an end. */
export function automaton(
  states: readonly State[],
  { begin, end, named }: Reading,
): (text: string) => boolean {
  const jump = jumping(states);
  const initial = setOf(states, begin);
  jump(initial);
  const ends = setOf(states, end);
  const alike = likening(named);
  const stepOn = memoised((code: number) => stepOf(states, code), Math.ceil(MAX_BITS / states.length));
  return (text) => {
    const reached = initial.slice();
    for (let index = 0; index < text.length; index += 1) {
      const code = text.codePointAt(index) ?? 0;
      if (code > 0xffff) index += 1;
      if (!advance(reached, stepOn(alike(code)))) return false;
      jump(reached);
    }
    return reached.some((word, index) => (word & (ends[index] ?? 0)) !== 0);
  };
}

/** A set of states: each state has the bit of its index. */
type States = Int32Array;

function setOf(states: readonly State[], indexes: Iterable<number>): States {
  const set = new Int32Array(Math.ceil(states.length / 32));
  for (const index of indexes) set[index >> 5] = (set[index >> 5] ?? 0) | (1 << index);
  return set;
}

/** The effect of a character: the states from which it leads to the next state, and those in which it stays. */
interface Step {
  readonly leads: States;
  readonly stays: States;
}

function stepOf(states: readonly State[], code: number): Step {
  const [leads, stays]: [number[], number[]] = [[], []];
  states.forEach((state, index) => {
    if (state.fits?.(code)) leads.push(index);
    if (state.stays?.(code)) stays.push(index);
  });
  return { leads: setOf(states, leads), stays: setOf(states, stays) };
}

/** Takes a set of states on by a character. Tells whether any are left. */
function advance(reached: States, { leads, stays }: Step): boolean {
  let [any, carried] = [0, 0];
  for (let index = 0; index < reached.length; index += 1) {
    const word = reached[index] ?? 0;
    const led = word & (leads[index] ?? 0);
    const next = (led << 1) | carried | (word & (stays[index] ?? 0));
    carried = led >>> 31;
    reached[index] = next;
    any |= next;
  }
  return any !== 0;
}

/** Returns the function that adds to a set all states that are reached from its states without a character. */
function jumping(states: readonly State[]): (reached: States) => void {
  const jumps = states.flatMap(({ next }, index) =>
    next.length === 0
      ? []
      : wordsOf(setOf(states, next)).map((to) => ({ from: index >> 5, bit: 1 << index, ...to })),
  );
  return (reached) => {
    // Jumps only lead forward, so that no state is met before all that lead to it.
    for (const { from, bit, word, bits } of jumps)
      if (((reached[from] ?? 0) & bit) !== 0) reached[word] = (reached[word] ?? 0) | bits;
  };
}

const wordsOf = (set: States) =>
  [...set].map((bits, word) => ({ word, bits })).filter(({ bits }) => bits !== 0);

/** Returns the function that gives one character, the first, for all those between which a text has none of its own. */
function likening(named: string): (code: number) => number {
  const codes = Array.from(new Set(named), (character) => character.codePointAt(0) ?? 0);
  const bounds = Int32Array.from(codes.flatMap((code) => [code, code + 1])).sort();
  return (code) => {
    let [low, high] = [0, bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) > code) high = middle;
      else low = middle + 1;
    }
    return bounds[low - 1] ?? 0;
  };
}
