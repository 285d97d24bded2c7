/**
 * Globs over names with slashes: `*` and `?` stop at a slash, `**` does not; `[a-z]`, `[!a-z]`, `{one,other}` and `\`
 * before a character that stands for itself. Letter case counts. The time is bounded by the lengths of both texts.
 */
export function globMatches(glob: string, text: string): boolean {
  return alternatives(glob).some((alternative) => matches(parse(alternative), text));
}

/** Whether a text says more than its own letters. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

type Token =
  { readonly star: true; readonly crosses: boolean } | { readonly star: false; readonly fits: Fits };
type Fits = (character: string) => boolean;

/** The texts that braces stand for; those past this number are left out. */
const MAX_ALTERNATIVES = 32;
/** The first pair of braces that holds no others. */
const BRACES = /^((?:\\.|[^\\])*?)\{((?:\\.|[^\\{}])*)\}(.*)$/s;

function alternatives(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [, before, inside, after] = BRACES.exec(next) ?? [];
    if (inside === undefined) done.push(next);
    else {
      const room = Math.max(0, MAX_ALTERNATIVES - done.length - open.length);
      const parts = inside.split(',').slice(0, room);
      open.push(...parts.map((part) => `${before}${part}${after}`));
    }
  }
  return done;
}

const TOKEN = /\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|\\?(.)/gsu;

const parse = (glob: string): readonly Token[] =>
  [...glob.matchAll(TOKEN)].map(([text, not = '', set, literal = '\\']) => {
    if (text.startsWith('*')) return { star: true, crosses: text.length > 1 };
    if (text === '?') return one((character) => character !== '/');
    if (set !== undefined) return one(inSet(set, not === '!'));
    return one((character) => character === literal);
  });

const one = (fits: Fits): Token => ({ star: false, fits });

function inSet(set: string, negated: boolean): Fits {
  const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, low = '', high = low]) => ({
    low,
    high,
  }));
  return (character) =>
    character !== '/' && ranges.some(({ low, high }) => low <= character && character <= high) !== negated;
}

/** All places of the pattern that the text so far may have led to are followed side by side. */
function matches(tokens: readonly Token[], text: string): boolean {
  let places = reached(tokens, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const place of places) {
      const token = tokens[place];
      if (!token) continue;
      if (token.star && (token.crosses || character !== '/')) next.push(place);
      else if (!token.star && token.fits(character)) next.push(place + 1);
    }
    places = reached(tokens, next);
  }
  return places.has(tokens.length);
}

/** Stars may stand for nothing. */
function reached(tokens: readonly Token[], places: readonly number[]): ReadonlySet<number> {
  const all = new Set<number>();
  for (let place of places) {
    while (!all.has(place)) {
      all.add(place);
      if (tokens[place]?.star) place += 1;
    }
  }
  return all;
}
