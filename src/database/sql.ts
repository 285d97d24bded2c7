import { createHash } from 'node:crypto';

/** A statement for pg. Its name is derived from its text, so that every connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A piece of a statement, with the values bound in it. */
export class Fragment {
  constructor(
    readonly strings: TemplateStringsArray,
    readonly values: readonly unknown[],
  ) {}
}

interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** A tree of composed statements: from a template by what fills its gaps in turn, a value or a fragment's template. */
class Composition {
  prepared: Prepared | undefined;
  readonly #next = new Map<TemplateStringsArray | undefined, Composition>();

  /** Returns the composition with this in the next gap; undefined stands for a value. */
  followedBy(template: TemplateStringsArray | undefined): Composition {
    let next = this.#next.get(template);
    if (!next) this.#next.set(template, (next = new Composition()));
    return next;
  }
}

/** The number of cached statements at which the cache is cleared, because they can be composed in very many ways. */
export const MAX_COMPOSITIONS = 2_000;

let compositions = new WeakMap<TemplateStringsArray, Composition>();
let composed = 0;

/** Returns the number of cached statements. */
export const compositionsKept = (): number => composed;

/**
 * Builds a named statement; each `${value}` becomes a bound parameter, and each `${fragment}` its text. The text must
 * not vary with values: it is the plan's key.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let composition = compositions.get(strings);
  if (!composition) compositions.set(strings, (composition = new Composition()));
  const bound: unknown[] = [];
  composition = follow(composition, values, bound);
  const { name, text } = (composition.prepared ??= keep(new Fragment(strings, values)));
  return { name, text, values: bound };
}

function keep(whole: Fragment): Prepared {
  if (composed >= MAX_COMPOSITIONS) {
    compositions = new WeakMap();
    composed = 0;
  }
  composed += 1;
  return prepare(whole);
}

/** Finds the composition for these values, and collects the bound ones in the order of the text. */
function follow(composition: Composition, values: readonly unknown[], bound: unknown[]): Composition {
  let reached = composition;
  for (const value of values)
    if (value instanceof Fragment) reached = follow(reached.followedBy(value.strings), value.values, bound);
    else {
      bound.push(value);
      reached = reached.followedBy(undefined);
    }
  return reached;
}

/** Builds a piece that several statements share: a condition, a list of columns, a join. */
export const fragment = (strings: TemplateStringsArray, ...values: readonly unknown[]): Fragment =>
  new Fragment(strings, values);

/** Returns the name under which a statement of this text is prepared. */
export const nameOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

function prepare(whole: Fragment): Prepared {
  let bound = 0;
  const textOf = ({ strings, values }: Fragment): string =>
    strings.reduce((left, right, index) => {
      const value = values[index - 1];
      return left + (value instanceof Fragment ? textOf(value) : `$${++bound}`) + right;
    });
  const text = textOf(whole);
  return { name: nameOf(text), text };
}
