import { expect } from 'chai';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../../src/database/queryable.js';
import type { Statement } from '../../../src/database/sql.js';
import { AccountFacts } from '../../../src/http/accounts/account-facts.js';

type Answer = (rows: readonly object[]) => void;

/** A database that answers when it is told to. */
function slowDatabase() {
  const waiting: { readonly asked: unknown; readonly answer: Answer }[] = [];
  const rows = ({ values: [asked] }: Statement) =>
    new Promise((answer: Answer) => waiting.push({ asked, answer }));
  return { db: { rows } as unknown as Queryable, waiting };
}

describe('facts of accounts', () => {
  const row = (isAdmin: boolean, id = 7) => ({ id, is_admin: isAdmin });

  it('are asked for once by callers at the same edition', async () => {
    const { db, waiting } = slowDatabase();
    const facts = new AccountFacts(db, () => 1);
    const first = facts.find(7);
    await nextTurn();
    const second = facts.find(7);
    await nextTurn();
    expect(waiting.length).to.equal(1);
    waiting[0]?.answer([row(true)]);
    expect([await first, await second]).to.deep.equal([row(true), row(true)]);
    expect(facts.recall(7)).to.deep.equal(row(true));
  });

  it('are asked for by each caller while nothing tells of changes', async () => {
    const { db, waiting } = slowDatabase();
    const facts = new AccountFacts(db);
    const before = facts.find(7);
    await nextTurn();
    const after = facts.find(7); // which may come once the account has changed
    await nextTurn();
    waiting[0]?.answer([row(true)]);
    waiting[1]?.answer([row(false)]);
    expect([(await before)?.is_admin, (await after)?.is_admin]).to.deep.equal([true, false]);
    expect(facts.recall(7)).to.equal(undefined);
  });

  it('of several accounts cost one query, for those that are not known', async () => {
    const { db, waiting } = slowDatabase();
    let edition = 1;
    const facts = new AccountFacts(db, () => edition);
    const ask = async (...ids: number[]) => {
      const found = facts.findEach(ids);
      await nextTurn();
      for (const { asked, answer } of waiting)
        answer((asked as number[]).filter((id) => id < 9).map((id) => row(true, id)));
      return [waiting.splice(0).map(({ asked }) => asked), [...(await found).keys()]];
    };
    expect(await ask(7, 8, 7)).to.deep.equal([[[7, 8]], [7, 8]]);
    expect(await ask(8, 9, 6)).to.deep.equal([[[9, 6]], [8, 6]]);
    expect(await ask(6, 7, 8)).to.deep.equal([[], [6, 7, 8]]);
    edition += 1;
    expect(await ask(8)).to.deep.equal([[[8]], [8]]);
  });
});
