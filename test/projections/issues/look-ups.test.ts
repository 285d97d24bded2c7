import { expect } from 'chai';
import { issues } from '../../../projections/issues/issues.js';
import { organizationLabels } from '../../../projections/organizations/organization-labels.js';
import type { Database } from '../../../src/database/database.js';
import type { Queryable } from '../../../src/database/queryable.js';
import { fragment, type Statement } from '../../../src/database/sql.js';
import { listComments } from '../../../src/queries/issues/comments.js';
import { listIssues, searchIssues } from '../../../src/queries/issues/issue-lists.js';
import { findMilestoneIds } from '../../../src/queries/issues/milestones.js';
import { findLabelIds } from '../../../src/queries/issues/search.js';
import { listWritings } from '../../../src/queries/issues/writings.js';
import { filledDatabase, type FilledDatabase } from '../filled-database.js';
import { plansOf } from '../plans.js';

const built = [issues, organizationLabels];
const everywhere = fragment`true`;
const ofMilestones = { milestoneIds: [7, 8] };
const page = { limit: 20, offset: 0 };
const all = { ...page, maxBytes: 1_000 };
const NOW = new Date();

describe('what is looked up in 100,000 rows', () => {
  let filled: FilledDatabase;
  let db: Database;

  before(async () => {
    filled = await filledDatabase(built, [FILL]);
    db = filled.db;
  });
  after(() => filled.drop());

  const forValues = ({ text, values }: Statement): Statement => ({
    name: `explain ${text.length}`,
    text: `explain ${text}`,
    values,
  });

  for (const [what, ask] of [
    ['labels by name', (db: Queryable) => findLabelIds(db, ['bug 7', 'none'])],
    ['milestones by title or id', (db: Queryable) => findMilestoneIds(db, undefined, ['v7', '7'])],
    ['issues by milestones', (db: Queryable) => searchIssues(db, everywhere, ofMilestones, page)],
    ['issues by poster', (db: Queryable) => searchIssues(db, everywhere, { posterId: 7 }, page)],
    ['issues by assignee', (db: Queryable) => searchIssues(db, everywhere, { assigneeId: 7 }, page)],
    ['issues of a repository by state', (db: Queryable) => listIssues(db, 7, { isClosed: false }, page)],
    ['and by poster', (db: Queryable) => listIssues(db, 7, { posterId: 7 }, page)],
    ['and by assignee', (db: Queryable) => listIssues(db, 7, { assigneeId: 7 }, page)],
    ['and by time', (db: Queryable) => listIssues(db, 7, { since: NOW, before: NOW }, page)],
    [
      'comments of a repository by time',
      (db: Queryable) => listComments(db, { repositoryId: 7, since: NOW }, all),
    ],
    ['what a user wrote', (db: Queryable) => listWritings(db, 7)],
  ] as const)
    it(`${what}: by indexes`, async () => {
      const plans = await plansOf(db, forValues, ask);
      expect(plans).to.not.be.empty;
      for (const plan of plans)
        expect(plan)
          .to.include('Index')
          .and.not.match(/Seq Scan on (?!repositories)/);
    });

  it('comments: as many as there is room for', async () => {
    await db.rows(`
      insert into issue_comments (id, repository_id, number, author_id, body, created_at, updated_at)
      select 200000 - n, 5000, 1, 1, repeat('ä', 5), to_timestamp(n), now() from generate_series(1, 5) n`);
    const filter = { repositoryId: 5000, number: 1 };
    for (const [maxBytes, expected] of [
      [0, []],
      [20, [199_999, 199_998]],
      [21, [199_999, 199_998, 199_997]],
      [1000, [199_999, 199_998, 199_997, 199_996, 199_995]],
    ] as const) {
      const [rows, total] = await listComments(db, filter, { limit: 1_000, offset: 0, maxBytes });
      expect([rows.map(({ id }) => id), total], String(maxBytes)).to.deep.equal([expected, 5]);
    }
  });
});

const FILL = `
  create table repositories (id int8, units text[]); -- what is asked of the read model of that name
  insert into repositories select n, array['repo.issues'] from generate_series(0, 1000) n;
  insert into issues (repository_id, number, id, poster_id, ref, is_closed, comments, revision,
      created_at, updated_at, milestone_id)
    select n / 100, n % 100, n, n % 1000, '', false, 1, 0, now(), now(), n / 10 from generate_series(1, 100000) n;
  insert into issue_texts select repository_id, number, poster_id, '', '' from issues;
  insert into issue_comments (id, repository_id, number, author_id, body, created_at, updated_at)
    select n, n / 100, n % 100, n % 999, '', now(), now() from generate_series(1, 100000) n;
  insert into labels select n / 10, n, 'Bug ' || n, 'bug ' || n, '', '', false, false from generate_series(1, 100000) n;
  insert into organization_labels select * from labels;
  insert into milestones (repository_id, id, title, lower_title, description, is_closed, open_issues, closed_issues,
      created_at, updated_at)
    select n / 10, n, 'V' || n, 'v' || n, '', false, 0, 0, now(), now() from generate_series(1, 100000) n;
  insert into issue_labels select n / 100, n % 100, n from generate_series(1, 100000) n;
  insert into issue_assignees select n / 100, n % 100, n % 1000, 0 from generate_series(1, 100000) n;
  analyze issues, issue_texts, issue_labels, issue_assignees, issue_comments, repositories, labels, organization_labels, milestones`;
