import { createHash } from 'node:crypto';

/** A statement for pg: named after its text, so that every connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

/** Builds a named statement; each `${value}` becomes a bound parameter. The text must not vary: it is the plan's key. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let statement = prepared.get(strings);
  if (!statement) {
    const text = strings.reduce((left, right, index) => `${left}$${index}${right}`);
    statement = { name: nameOf(text), text };
    prepared.set(strings, statement);
  }
  return { ...statement, values };
}

/** The name under which a statement of this text is prepared. */
export const nameOf = (text: string): string => createHash('sha1').update(text).digest('base64url');
