import pg from 'pg';

/** Returns a PostgreSQL array of values whose text needs no quotes: numbers, UUIDs. */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

/** Returns a PostgreSQL array of texts in binary form, in which none needs quotes. */
export const textArray = (values: readonly string[]): Buffer => binaryArray(pg.types.builtins.TEXT, values);

/** Returns a PostgreSQL array of JSON texts in binary form. PostgreSQL checks that they are JSON. */
export const jsonArray = (values: readonly string[]): Buffer => binaryArray(pg.types.builtins.JSON, values);

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * Returns an array in the binary form that PostgreSQL receives (`array_recv`): dimensions, whether nulls occur, type of the
 * elements, how many, number of the first; then each element behind its length. Quoting the JSON of a large group
 * for a text array, and reading it back, costs as much as appending it.
 */
function binaryArray(elementType: number, values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const size = lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  for (const field of [1, 0, elementType, values.length, 1]) at = buffer.writeInt32BE(field, at);
  for (const [index, value] of values.entries()) {
    at = buffer.writeInt32BE(lengths[index] ?? 0, at);
    at += buffer.write(value, at);
  }
  return buffer;
}
