import { isSafeNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';

/** A JSON value; integers beyond 2^53 are bigint. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. Fields that are undefined are left out when it is written. */
export type JsonObject = { readonly [key: string]: Json | undefined };

const maybeUnsafeInteger = /\d{16}/;

/**
 * Parses JSON with integers kept exact: one that a double cannot hold comes back as a bigint, of up to 1,000 digits.
 * Among thousands of levels it is a double, which no field takes for an integer. Throws `SyntaxError` for text that is
 * not JSON.
 */
export function parseJson(text: string): unknown {
  // The exact parser costs ten times the built-in one, and only long digits need it.
  if (!maybeUnsafeInteger.test(text)) return JSON.parse(text) as unknown;
  try {
    return parseExactly(text);
  } catch (error) {
    // The exact parser calls itself for each level, and the stack ends before the levels that the built-in one takes.
    if (error instanceof RangeError) return JSON.parse(text) as unknown;
    throw error;
  }
}

const parseExactly = (text: string): unknown =>
  parseLossless(text, null, {
    parseNumber: (digits) => (needsBigint(digits) ? BigInt(digits) : inexactly(digits)),
    onDuplicateKey: ({ newValue }) => newValue, // The last one counts, as in the built-in parser.
  });

/** Longer numbers are not kept exact: nothing reads them, and a bigint of millions of digits would take seconds. */
const MAX_DIGITS = 1_000;

const needsBigint = (digits: string) =>
  digits.length <= MAX_DIGITS && /^-?\d+$/.test(digits) && !isSafeNumber(digits);

/** Returns the nearest double, but NaN for a fraction that this would make an integer, so that no field takes it for one. */
const inexactly = (digits: string): number => {
  const number = Number(digits);
  return Number.isInteger(number) && /^-?\d+\.\d*[1-9]\d*$/.test(digits) ? NaN : number;
};

/** Writes JSON, indented where asked; a bigint is written digit for digit. Fields that are `undefined` are left out. */
export function stringifyJson(value: unknown, indentation?: number): string {
  const text = quickly(value, indentation) ?? stringifyLossless(value, null, indentation);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** The built-in way; undefined where it cannot, as with a bigint. */
function quickly(value: unknown, indentation: number | undefined): string | undefined {
  try {
    return JSON.stringify(value, null, indentation);
  } catch {
    return undefined;
  }
}
