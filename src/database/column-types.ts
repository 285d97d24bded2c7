/** What the columns of a row become, beside what pg makes of them. */
import pg from 'pg';

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

// A number where a double holds it, else a bigint: ids stay plain numbers, limits stay exact.
pg.types.setTypeParser(INT8, (text) => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
});

const anyTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

// As pg does it, in half of its time for sessions whose time zone is UTC: lists of a page have hundreds.
pg.types.setTypeParser(TIMESTAMPTZ, (text) =>
  IN_UTC.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : anyTime(text),
);
