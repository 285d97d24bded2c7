import type { Ask } from './people.js';

import { OPEN } from '../../../projections/engine/fold-history.js';

export type NaiveRow = Record<string, unknown>;

/** What the tables of `people` hold when every change is made by itself, at once: the meaning of the DSL, plainly. */
export class NaiveTables {
  readonly rows: Record<Ask['table'], NaiveRow[]> = { people: [], seats: [], moods: [] };

  apply(position: bigint, { table, ask, key, values }: Ask): void {
    const history = table === 'moods';
    const named = (row: NaiveRow) =>
      Object.entries(key).every(([name, value]) => row[name] === value) &&
      (!history || row.valid_until === OPEN);
    const found = this.rows[table].filter(named);
    const end = () => {
      if (history) for (const row of found) row.valid_until = position;
      const never = (row: NaiveRow) => history && row.valid_from === row.valid_until;
      this.rows[table] = this.rows[table].filter((row) => !never(row) && (history || !found.includes(row)));
    };
    const begin = (row: NaiveRow) => {
      end();
      this.rows[table].push(history ? { ...row, valid_from: position, valid_until: OPEN } : row);
    };
    const [before] = found;
    if (ask === 'put') begin({ ...blank[table], ...key, ...values });
    else if (ask === 'remove' || ask === 'removeWhere') end();
    else if (before && ask === 'patch') begin({ ...before, ...values });
    else if (before) begin({ ...before, ...sums(before, values) });
  }
}

const blank: Record<Ask['table'], NaiveRow> = {
  people: { name: null, score: null, tags: null, seen: null },
  seats: { person: null },
  moods: { mood: null, strength: null },
};

const sums = (row: NaiveRow, amounts: Ask['values']): NaiveRow =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const sum = row[name] === null ? null : BigInt(row[name] as number) + BigInt(amount as number);
      return [name, sum === null || !Number.isSafeInteger(Number(sum)) ? sum : Number(sum)];
    }),
  );
