/**
 * Globs over names with slashes: `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]`, `{one,other}` and `\`
 * before a character that stands for itself. Letter case counts. The time is bounded by the lengths of both texts.
 */
export function globMatches(glob: string, text: string): boolean {
  const places = parse(glob);
  let reached = reachedFrom(places, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const at of reached) {
      const place = places[at];
      if (place?.stays?.(character)) next.push(at);
      if (place?.fits?.(character)) next.push(...place.next);
    }
    reached = reachedFrom(places, next);
  }
  return reached.has(places.length);
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

/** These places, and those that are as good: all that the text so far may have led to are followed side by side. */
function reachedFrom(places: readonly Place[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const place = places[at];
    if (place && !place.fits) open.push(...place.next);
  }
  return reached;
}
