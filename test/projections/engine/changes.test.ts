import { expect } from 'chai';
import { TableChanges } from '../../../projections/engine/changes.js';

describe('what a handler asks of a table', () => {
  const changes = () =>
    new TableChanges({
      schema: 'people_v1',
      name: 'seats',
      columns: [
        { name: 'room', type: 'text' },
        { name: 'seat', type: 'bigint' },
        { name: 'person', type: 'text' },
      ],
      key: [0, 1],
      history: false,
      sets: false,
    });
  const key = { room: 'a', seat: 1 };

  const mistakes: Readonly<Record<string, (table: TableChanges) => void>> = {
    'seats has no column persn': (table) => table.put({ ...key, persn: 'x' }),
    'seats has no column pers': (table) => table.patch(key, { pers: 'x' }),
    'seats has no column score': (table) => table.add(key, { score: 1 }),
    'seats.person is not an integer': (table) => table.add(key, { person: 1 }),
    'seats.seat is part of the key': (table) => table.patch(key, { seat: 2 }),
    'seats.room is part of the key': (table) => table.add(key, { room: 1 }),
    'key column seat is null': (table) => table.put({ room: 'a', person: 'x' }),
    'seats: room, seat, person is not its key': (table) => table.remove({ ...key, person: 'x' }),
    'seats: removeWhere takes columns of the key, not person': (table) => table.removeWhere({ person: 'x' }),
    'seats: removeWhere takes columns of the key, not room, person': (table) =>
      table.removeWhere({ room: 'a', person: 'x' }),
    'seats: removeWhere takes columns of the key, not ': (table) => table.removeWhere({}),
  };
  for (const [words, mistake] of Object.entries(mistakes))
    it(`is refused where it cannot be meant: ${words}`, () => {
      const table = changes();
      expect(() => mistake(table)).to.throw(words);
      expect(table.isEmpty).to.equal(true);
    });

  it('may leave columns out', () => {
    const table = changes();
    table.put(key);
    expect(table.changes).to.have.lengthOf(1);
  });
});
