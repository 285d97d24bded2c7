import { expect } from 'chai';
import { compositionsKept, fragment, MAX_COMPOSITIONS, sql } from '../../src/database/sql.js';

describe('Statements', () => {
  const since = (moment: number) => fragment`at >= ${moment}`;
  const named = (name: string) => fragment`name = ${name}`;
  const all = (...conditions: ReturnType<typeof since>[]) =>
    conditions.reduce((left, right) => fragment`${left} and ${right}`);
  const find = (condition: ReturnType<typeof since>, limit: number) =>
    sql`select * from notes where ${condition} limit ${limit}`;

  it('bind what stands in them, in the order of their text', () => {
    const { text, values } = find(all(since(1), named('a'), since(2)), 10);
    expect(text).to.equal('select * from notes where at >= $1 and name = $2 and at >= $3 limit $4');
    expect(values).to.deep.equal([1, 'a', 2, 10]);
  });

  it('have one name for one text, whatever the values', () => {
    expect(find(since(1), 10).name).to.equal(find(since(2), 20).name);
    expect(find(since(1), 10).values).to.deep.equal([1, 10]);
    expect(find(since(2), 20).values).to.deep.equal([2, 20]);
  });

  it('have another name for another text', () => {
    const statements = [
      find(since(1), 1),
      find(named('a'), 1),
      find(all(since(1), named('a')), 1),
      find(all(named('a'), since(1)), 1),
      find(all(since(1), all(named('a'), since(1))), 1),
    ];
    expect(new Set(statements.map(({ name }) => name)).size).to.equal(statements.length);
    expect(new Set(statements.map(({ text }) => text)).size).to.equal(statements.length);
  });

  it('tell a value from a fragment in the same gap', () => {
    const limited = (limit: unknown) => sql`select 1 limit ${limit}`;
    expect(limited(5).text).to.equal('select 1 limit $1');
    expect(limited(fragment`all`).text).to.equal('select 1 limit all');
    expect(limited(5)).to.deep.include({ text: 'select 1 limit $1', values: [5] });
    const between = (from: unknown, to: unknown) => sql`select 1 between ${from} and ${to}`;
    const now = fragment`now()`;
    expect(between(5, now).text).to.equal('select 1 between $1 and now()');
    expect(between(now, 5).text).to.equal('select 1 between now() and $1');
  });

  it('are kept to be used again, as many as there may be', () => {
    const parts = [since(1), named('a')] as const;
    const compose = (n: number) =>
      all(...Array.from({ length: 12 }, (_, place) => parts[(n >> place) % 2 ? 1 : 0]));
    const before = compositionsKept();
    const first = find(compose(0), 1);
    expect(find(compose(0), 1)).to.deep.equal(first);
    expect(compositionsKept()).to.equal(before + 1);
    for (let n = 0; n < MAX_COMPOSITIONS + 10; n++) {
      find(compose(n), 1);
      expect(compositionsKept()).to.be.at.most(MAX_COMPOSITIONS);
    }
    const kept = compositionsKept();
    expect(find(compose(0), 1)).to.deep.equal(first);
    expect(compositionsKept()).to.equal(kept + 1); // it had been dropped
  });
});
