import type { Message } from '../../../src/domain/decider.js';
import { projection, type SetTable, type Table } from '../../../projections/projection.js';

/** The SQL of the projections below, as seen from `dist/`. */
export const TEST_MIGRATIONS = new URL('../../../../test/projections/engine/migrations/', import.meta.url);

/** One thing asked of a table, as data, so that events can be generated. */
export type Ask = {
  readonly table: 'people' | 'seats' | 'moods' | 'crowds';
  readonly ask: 'put' | 'patch' | 'add' | 'remove' | 'removeWhere' | 'include' | 'exclude';
  readonly key: Readonly<Record<string, string | number>>;
  readonly values: Readonly<Record<string, string | number | null | readonly string[]>>;
};

export type PeopleEvent = Message<'Asked', { readonly asks: readonly Ask[] }>;
export type DoseEvent = Message<'Dosed', { readonly id: number; readonly dose: number }>;

/** Does what its events ask. */
export const people = projection<PeopleEvent>()({
  name: 'people',
  version: 1,
  tables: {
    people: { key: ['id'] },
    seats: { key: ['room', 'seat'] },
    moods: { key: ['room', 'person'], history: true },
    crowds: { key: ['room', 'block'], sets: true },
  },
  on: {
    Asked: ({ data }, tables) => {
      for (const { table, ask, key, values } of data.asks)
        if (table === 'crowds') gatherOrLeave(tables[table], ask, key, values);
        else perform(tables[table], ask, key, values);
    },
  },
});

function perform(table: Table, ask: Ask['ask'], key: Ask['key'], values: Ask['values']): void {
  if (ask === 'put') table.put({ ...key, ...values });
  else if (ask === 'patch') table.patch(key, values);
  else if (ask === 'add') table.add(key, values as Record<string, number>);
  else if (ask === 'remove') table.remove(key);
  else table.removeWhere(key);
}

function gatherOrLeave(table: SetTable, ask: Ask['ask'], key: Ask['key'], values: Ask['values']): void {
  if (ask === 'include') table.include(key, Number(values.number));
  else if (ask === 'exclude') table.exclude(key, Number(values.number));
  else table.removeWhere(key);
}

/** Refuses doses of 100 and more in the database, negative ones in the handler. */
export const poison = projection<DoseEvent>()({
  name: 'poison',
  version: 1,
  tables: { doses: { key: ['id'] } },
  on: {
    Dosed: ({ data }, { doses }) => {
      if (data.dose < 0) throw new Error('a negative dose\0'); // PostgreSQL takes no NUL in texts
      doses.put({ id: data.id, dose: data.dose });
    },
  },
});
