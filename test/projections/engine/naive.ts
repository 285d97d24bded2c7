import { BLOCK } from '../../../projections/engine/set-changes.js';
import { STILL } from '../../../src/database/still.js';
import type { Ask } from './people.js';

export type NaiveRow = Record<string, unknown>;

/** What the tables of `people` hold when every change is made by itself, at once: the meaning of the DSL, plainly. */
export class NaiveTables {
  readonly rows: Record<Ask['table'], NaiveRow[]> = { people: [], seats: [], moods: [], crowds: [] };

  apply(position: bigint, { table, ask, key, values }: Ask): void {
    const history = table === 'moods';
    const named = (row: NaiveRow) =>
      Object.entries(key).every(([name, value]) => row[name] === value) &&
      (!history || row.valid_until === STILL);
    const found = this.rows[table].filter(named);
    const end = () => {
      if (history) for (const row of found) row.valid_until = position;
      const never = (row: NaiveRow) => history && row.valid_from === row.valid_until;
      this.rows[table] = this.rows[table].filter((row) => !never(row) && (history || !found.includes(row)));
    };
    const begin = (row: NaiveRow) => {
      end();
      this.rows[table].push(history ? { ...row, valid_from: position, valid_until: STILL } : row);
    };
    const [before] = found;
    if (ask === 'put') begin({ ...blank[table], ...key, ...values });
    else if (ask === 'remove' || ask === 'removeWhere') end();
    else if (ask === 'include' || ask === 'exclude')
      this.#mark(key, Number(values.number), ask === 'include');
    else if (before && ask === 'patch') begin({ ...before, ...values });
    else if (before) begin({ ...before, ...sums(before, values) });
  }

  #mark(key: Ask['key'], number: number, isIn: boolean): void {
    const block = Math.floor(number / BLOCK);
    const found = this.rows.crowds.find((row) => row.room === key.room && row.block === block);
    if (!found && !isIn) return;
    const row = found ?? { ...key, block, members: '0'.repeat(BLOCK) };
    if (!found) this.rows.crowds.push(row);
    const bits = [...String(row.members)];
    bits[BLOCK - 1 - (number % BLOCK)] = isIn ? '1' : '0';
    row.members = bits.join('');
  }
}

const blank: Record<Ask['table'], NaiveRow> = {
  people: { name: null, score: null, tags: null, seen: null },
  seats: { person: null },
  moods: { mood: null, strength: null },
  crowds: {},
};

const sums = (row: NaiveRow, amounts: Ask['values']): NaiveRow =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const sum = row[name] === null ? null : BigInt(row[name] as number) + BigInt(amount as number);
      return [name, sum === null || !Number.isSafeInteger(Number(sum)) ? sum : Number(sum)];
    }),
  );
