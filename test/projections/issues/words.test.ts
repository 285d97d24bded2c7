import { expect } from 'chai';
import { issues } from '../../../projections/issues/issues.js';
import { schemaOf } from '../../../projections/projection.js';
import { Database } from '../../../src/database/database.js';
import type { Queryable, Row } from '../../../src/database/queryable.js';
import type { Statement } from '../../../src/database/sql.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { listIssues } from '../../../src/queries/issues/issue-lists.js';
import { engineDatabase, type EngineDatabase } from '../engine/support.js';

const REPOSITORY = 7;
const ISSUES = 400;

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

describe('a search for words', () => {
  let engine: EngineDatabase;
  let db: Database;

  before(async () => {
    engine = await engineDatabase([issues], MIGRATIONS);
    db = new Database({ ...engine.options, searchPath: [schemaOf(issues), 'public'] });
    await db.rows(`
      insert into issues (repository_id, number, id, poster_id, ref, is_closed, comments, revision, created_at, updated_at)
      select ${REPOSITORY}, n, n, 1, '', false, 0, 0, now(), now() from generate_series(1, ${ISSUES}) n`);
    await db.rows(`
      insert into issue_texts (repository_id, number, poster_id, title, body)
      select ${REPOSITORY}, n, 1, 'issue ' || n, 'some text' from generate_series(1, ${ISSUES}) n`);
    await db.rows(`
      insert into issue_comments (id, repository_id, number, author_id, body, created_at, updated_at)
      values (1, ${REPOSITORY}, 5, 1, 'elsewhere', now(), now())`);
  });
  after(async () => {
    await db.close();
    await engine.drop();
  });

  const found = async (...words: string[]) => {
    const [rows] = await listIssues(db, REPOSITORY, { words }, { limit: 50, offset: 0 });
    return rows.map(({ number }) => number);
  };

  it('finds issues that have all of them, in whatever text', async () => {
    expect(await found('text', 'ISSUE', '39')).to.deep.equal([
      ...Array.from({ length: 10 }, (_, n) => 399 - n),
      339,
      239,
      139,
      39,
    ]);
    expect(await found('issue', 'elsewhere')).to.deep.equal([5]);
    expect(await found('elsewhere', 'nowhere')).to.deep.equal([]);
  });

  it('looks once for each of them, and not with each issue that has another', async () => {
    const asked: Statement[] = [];
    const listening: Queryable = {
      rows: <R extends object = Row>(statement: Statement | string) => {
        if (typeof statement !== 'string') asked.push(statement);
        return Promise.resolve<R[]>([]);
      },
    };
    await listIssues(listening, REPOSITORY, { words: ['issue', 'text'] }, { limit: 1, offset: 0 });
    expect(asked).to.have.length.greaterThan(0);
    for (const { text, values } of asked) {
      const [row] = await db.rows<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
        name: '',
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      const loops = scansOf(row?.['QUERY PLAN'][0].Plan, 'issue_texts');
      expect(loops).to.have.length.greaterThan(1);
      expect(Math.max(...loops)).to.equal(1);
    }
  });
});

/** How often each scan of a table ran. */
function scansOf(plan: Plan | undefined, table: string): number[] {
  if (!plan) return [];
  const own = plan['Relation Name'] === table ? [plan['Actual Loops']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((inner) => scansOf(inner, table))];
}
