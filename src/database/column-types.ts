/** Sets how column types are parsed where pg's own parsers do not suit. */
import pg from 'pg';

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

// int8 becomes a number if a double represents it exactly, else a bigint: ids are plain numbers, limits stay exact.
pg.types.setTypeParser(INT8, (text) => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
});

const anyTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

// Gives the same as pg in half the time for sessions with the time zone UTC, because a page may have hundreds of times.
pg.types.setTypeParser(TIMESTAMPTZ, (text) =>
  IN_UTC.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : anyTime(text),
);
