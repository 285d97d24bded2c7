import { expect } from 'chai';
import { Database } from '../../../src/database/database.js';
import {
  MarksInDatabase,
  MarksInMemory,
  type Mark,
  type Marks,
} from '../../../src/event-store/eventstoredb/marks.js';
import { preparedDatabase } from '../../support/prepared-database.js';
import type { TestDatabase } from '../../support/postgres.js';

describe('marks of the log', () => {
  let database: TestDatabase;
  let db: Database;

  before(async () => {
    database = await preparedDatabase();
    db = new Database({ url: database.url, applicationName: 'test', onError: () => undefined });
  });
  after(async () => {
    await db.close();
    await database.drop();
  });

  const kinds: Readonly<Record<string, () => Marks>> = {
    'in memory': () => new MarksInMemory(),
    'in the database': () => new MarksInDatabase(db),
  };
  for (const [title, open] of Object.entries(kinds))
    it(`are found by time and by position: ${title}`, async () => {
      const marks = open();
      const positions = [10n, 2n ** 60n, 2n ** 60n + 1n];
      const kept = positions.map((position, index): Mark => ({
        position,
        time: 1_000 * (index + 1),
        readTo: position,
      }));
      const again = { position: 2n ** 60n + 2n, time: 3_000, readTo: 2n ** 61n };
      expect(await marks.last({ time: 9_000 })).to.equal(undefined);
      for (const mark of [...kept, ...kept, again]) await marks.keep(mark);
      const byTime = await Promise.all([999, 1_000, 2_999, 9_000].map((time) => marks.last({ time })));
      expect(byTime).to.deep.equal([undefined, kept[0], kept[1], again]);
      const places = [9n, 10n, 2n ** 60n + 1n, 2n ** 62n];
      const byPosition = await Promise.all(places.map((position) => marks.last({ position })));
      expect(byPosition).to.deep.equal([undefined, kept[0], kept[2], again]);
    });

  for (const [title, open] of Object.entries(kinds))
    it(`tell how far was read on behind their event: ${title}`, async () => {
      const marks = open();
      const mark = { position: 2n ** 62n, time: 4_000 };
      for (const readTo of [2n ** 62n + 8n, 2n ** 62n + 9n, 2n ** 62n]) await marks.keep({ ...mark, readTo });
      expect(await marks.last({ time: 9_000 })).to.deep.equal({ ...mark, readTo: 2n ** 62n + 9n });
    });

  it('in memory are near what is searched for, and not too many, however long the log', async () => {
    const marks = new MarksInMemory();
    const pages = 100_000;
    for (let page = 1; page <= pages; page += 1) {
      await marks.keep({ position: BigInt(page), time: page, readTo: BigInt(page) });
    }
    for (const time of [5_000, 54_321, pages]) {
      const mark = await marks.last({ time });
      expect(mark?.time).to.be.within(time - 64, time);
    }
  });
});
