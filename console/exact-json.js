/** Parses and writes JSON with exact integers: those that a double cannot hold are bigints. */

/**
 * @param {string} text
 * @returns {any}
 */
export const parseJson = (text) => {
  /** @type {(key: string, value: unknown, context?: { source?: string }) => unknown} */
  const exact = (_, value, context) =>
    typeof value === 'number' && /^-?\d{16,}$/.test(context?.source ?? '') && !Number.isSafeInteger(value)
      ? BigInt(context?.source ?? '')
      : value;
  return JSON.parse(text, exact);
};

/** Marks bigints within JSON. No text of the API holds a NUL. */
const MARK = '\0';

/** @param {unknown} value */
export const toJson = (value) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${MARK}${each}` : each)).replace(
    /"\\u0000(-?\d+)"/g,
    '$1',
  );
