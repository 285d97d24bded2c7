/**
 * Globs over names with slashes: `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]`, `{one,other}` and `\`
 * before a character that stands for itself. Letter case counts. The time is bounded by the lengths of both texts.
 */
export const globMatches = (glob: string, text: string): boolean => matcherKept(glob)(text);

/** Globs whose matchers are kept: the same few are asked about many texts. */
const MAX_GLOBS = 200;
/** Of characters, and of places that were reached, that a matcher keeps in mind. */
const MAX_STEPS = 250;

const matcherKept = remembered((glob: string) => globMatcher(glob), MAX_GLOBS);

/** As `globMatches`, for many texts at once; it is not kept. */
export function globMatcher(glob: string): (text: string) => boolean {
  const places = parse(glob);
  const { first, skips, widened } = skipsOf(places);
  const end = bit(places.length);
  const fitting = remembered((character: string) => fittingOf(places, character), MAX_STEPS);
  return (text) => {
    let reached = first;
    for (const character of text) {
      if (reached === NOWHERE) return false;
      const fits = fitting(character);
      const next = ((reached & fits.leads) << 1n) | (reached & fits.stays);
      reached = (next & skips) === NOWHERE ? next : widened(next);
    }
    return (reached & end) !== NOWHERE;
  };
}

/** Whether a text says more than its own letters. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

type Fits = (character: string) => boolean;

/** A place in a glob. One where nothing has to fit is as good as those that follow. */
interface Place {
  /** What leads on from it. */
  readonly fits?: Fits;
  /** What may stand there any number of times: a star's. */
  readonly stays?: Fits;
  /** The places that follow. */
  next: number[];
}

const TOKEN = /\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|[{},]|\\?(.)/gsu;

/** The places of a glob, in order; what matches is at the end, after the last. */
function parse(glob: string): readonly Place[] {
  const tokens = [...glob.matchAll(TOKEN)];
  const closed = closedBraces(tokens.map(([text]) => text));
  const places: Place[] = [];
  const add = (place: Omit<Place, 'next'>): Place => {
    const added = { ...place, next: [places.length + 1] };
    places.push(added);
    return added;
  };
  /** Of the braces that are open: where each alternative begins, and where each ends. */
  const groups: { readonly fork: Place; readonly ends: Place[] }[] = [];
  tokens.forEach(([text, not = '', set, literal = text.slice(-1)], index) => {
    const group = groups.at(-1);
    if (text.startsWith('*')) add({ stays: text.length > 1 ? () => true : isNoSlash });
    else if (text === '?') add({ fits: isNoSlash });
    else if (set !== undefined) add({ fits: inSet(set, not === '!') });
    else if (text === '{' && closed.has(index)) groups.push({ fork: add({}), ends: [] });
    else if (text === ',' && group) {
      group.ends.push(add({}));
      group.fork.next.push(places.length);
    } else if (text === '}' && closed.has(index)) {
      for (const end of group?.ends ?? []) end.next = [places.length];
      groups.pop();
    } else add({ fits: (character) => character === literal });
  });
  return places;
}

/** Which of the tokens are braces that belong together; the others stand for themselves. */
function closedBraces(tokens: readonly string[]): ReadonlySet<number> {
  const [open, closed]: [number[], Set<number>] = [[], new Set()];
  tokens.forEach((token, index) => {
    if (token === '{') open.push(index);
    const opened = token === '}' ? open.pop() : undefined;
    if (opened !== undefined) closed.add(opened).add(index);
  });
  return closed;
}

const isNoSlash: Fits = (character) => character !== '/';

function inSet(set: string, negated: boolean): Fits {
  const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, low = '', high = low]) => ({
    low,
    high,
  }));
  return (character) =>
    character !== '/' && ranges.some(({ low, high }) => low <= character && character <= high) !== negated;
}

/** Places as the bits of a number: all that a text may have led to so far are followed side by side, whatever their number. */
type Places = bigint;

const NOWHERE: Places = 0n;
const bit = (index: number): Places => 1n << BigInt(index);

/** At which places a character stays, and from which it leads on to the one after. */
interface Fitting {
  readonly stays: Places;
  readonly leads: Places;
}

function fittingOf(places: readonly Place[], character: string): Fitting {
  let [stays, leads] = [NOWHERE, NOWHERE];
  places.forEach((place, index) => {
    if (place.stays?.(character)) stays |= bit(index);
    if (place.fits?.(character)) leads |= bit(index);
  });
  return { stays, leads };
}

/** What is as good as the beginning, the places where nothing has to fit, and what adds to some all that is as good. */
function skipsOf(places: readonly Place[]) {
  const asGood = [...places.map((_, index) => bit(index)), bit(places.length)];
  const jumps: { readonly from: Places; readonly to: Places }[] = [];
  let [skips, stars] = [NOWHERE, NOWHERE];
  // They lead forward alone, so that what follows a place is known before it.
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const { fits, next } = places[index] ?? { next: [] };
    if (fits) continue;
    const to = next.reduce((all, each) => all | (asGood[each] ?? NOWHERE), bit(index));
    asGood[index] = to;
    skips |= bit(index);
    if (to === (bit(index) | bit(index + 1))) stars |= bit(index);
    else jumps.push({ from: bit(index), to });
  }
  const widened = remembered(
    (reached: Places) =>
      jumps.reduce(
        (all, { from, to }) => ((reached & from) === NOWHERE ? all : all | to),
        reached | ((reached & stars) << 1n),
      ),
    MAX_STEPS,
  );
  return { first: asGood[0] ?? NOWHERE, skips, widened };
}

/** Makes each once, and all anew after so many. */
function remembered<Key, Value extends object | bigint>(
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
