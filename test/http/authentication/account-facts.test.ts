import { expect } from 'chai';
import type { Queryable } from '../../../src/database/database.js';
import { AccountFacts } from '../../../src/http/authentication/account-facts.js';

/** A database that answers when it is told to. */
function slowDatabase() {
  const waiting: ((rows: readonly object[]) => void)[] = [];
  const rows = () => new Promise((resolve) => waiting.push(resolve));
  return { db: { rows } as unknown as Queryable, waiting };
}

describe('facts of accounts', () => {
  const row = (isAdmin: boolean) => [{ id: 7, is_admin: isAdmin }];

  it('are asked for once by callers at the same edition', async () => {
    const { db, waiting } = slowDatabase();
    const facts = new AccountFacts(db, () => 1);
    const [first, second] = [facts.find(7), facts.find(7)];
    expect(waiting.length).to.equal(1);
    waiting[0]?.(row(true));
    expect([await first, await second]).to.deep.equal([...row(true), ...row(true)]);
    expect(facts.recall(7)).to.deep.equal(row(true)[0]);
  });

  it('are asked for by each caller while nothing tells of changes', async () => {
    const { db, waiting } = slowDatabase();
    const facts = new AccountFacts(db, () => undefined);
    const before = facts.find(7);
    const after = facts.find(7); // which may come once the account has changed
    waiting[0]?.(row(true));
    waiting[1]?.(row(false));
    expect([(await before)?.is_admin, (await after)?.is_admin]).to.deep.equal([true, false]);
    expect(facts.recall(7)).to.equal(undefined);
  });
});
