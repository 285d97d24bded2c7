import { createHash } from 'node:crypto';

/** A statement for pg: named after its text, so that every connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A piece of statements, with the values that are bound where it stands. */
export class Fragment {
  constructor(
    readonly strings: TemplateStringsArray,
    readonly values: readonly unknown[],
  ) {}
}

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>();
/** Names of statements that are made of fragments; there are as many as the program's source can make. */
const names = new Map<string, string>();

/**
 * Builds a named statement; each `${value}` becomes a bound parameter, and each `${fragment}` its text. The text must
 * not vary with values: it is the plan's key.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  if (values.some((value) => value instanceof Fragment)) return composed(new Fragment(strings, values));
  let statement = prepared.get(strings);
  if (!statement) {
    const text = strings.reduce((left, right, index) => `${left}$${index}${right}`);
    statement = { name: nameOf(text), text };
    prepared.set(strings, statement);
  }
  return { ...statement, values };
}

/** A piece that several statements share: a condition, a list of columns, a join. */
export const fragment = (strings: TemplateStringsArray, ...values: readonly unknown[]): Fragment =>
  new Fragment(strings, values);

/** The name under which a statement of this text is prepared. */
export const nameOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

function composed(whole: Fragment): Statement {
  const values: unknown[] = [];
  const textOf = ({ strings, values: own }: Fragment): string =>
    strings.reduce((left, right, index) => {
      const value = own[index - 1];
      return left + (value instanceof Fragment ? textOf(value) : `$${values.push(value)}`) + right;
    });
  const text = textOf(whole);
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = nameOf(text)));
  return { name, text, values };
}
