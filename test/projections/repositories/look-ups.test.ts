import { expect } from 'chai';
import { accounts } from '../../../projections/accounts/accounts.js';
import { grants } from '../../../projections/organizations/grants.js';
import { organizations } from '../../../projections/organizations/organizations.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import { repositoryParts } from '../../../projections/repositories/repository-parts.js';
import type { Database } from '../../../src/database/database.js';
import type { Queryable } from '../../../src/database/queryable.js';
import type { Statement } from '../../../src/database/sql.js';
import { listBranches } from '../../../src/queries/repositories/refs.js';
import { findRepository } from '../../../src/queries/repositories/repositories.js';
import { repositoryExists, repositoryIds } from '../../../src/queries/repositories/repository-ids.js';
import { filledDatabase, type FilledDatabase } from '../filled-database.js';
import { plansOf } from '../plans.js';

const built = [accounts, organizations, grants, repositories, repositoryParts];
const anybody = { id: null, isAdmin: false, restricted: false, narrow: false };

describe('one of 100,000 repositories, of which 10,000 have its name', () => {
  let filled: FilledDatabase;
  let db: Database;

  before(async () => {
    filled = await filledDatabase(built, FILL);
    db = filled.db;
  });
  after(() => filled.drop());

  it('is found', async () => {
    expect(await findRepository(db, 'User-7', 'Fork', anybody)).to.include({ id: 7 });
  });

  it('is looked up among those of its owner', async () => {
    const [plan] = await plansOf(db, inGeneral, (asked) => findRepository(asked, 'User-7', 'Fork', anybody));
    expect(plan).to.include('repositories_by_owner').and.not.include('repositories_by_name');
  });

  it('is told with the others page by page, in order', async () => {
    let most = 0;
    const watched: Queryable = {
      async rows<Row extends object>(statement: Statement | string) {
        const rows = await db.rows<Row>(statement);
        most = Math.max(most, rows.length);
        return rows;
      },
    };
    let last = 0;
    for await (const id of repositoryIds(watched)) expect(id).to.equal(++last);
    expect([last, most]).to.deep.equal([100_000, 1_000]);
    expect([await repositoryExists(db, 7), await repositoryExists(db, 100_001)]).to.deep.equal([true, false]);
  });
});

describe('branches whose commits were all last used yesterday, when statistics were made', () => {
  let filled: FilledDatabase;
  before(async () => {
    filled = await filledDatabase(built, [
      `insert into refs (repository_id, name, kind, short_name, hash, committed_at)
        select 1, 'refs/heads/' || n, 'branch', n, encode(sha1, 'hex'), now()
        from generate_series(1, 4000) n, substring(sha256(n::text::bytea) for 20) sha1`,
      `insert into cache.commits (repository_id, hash, facts, used_on)
        select 1, decode(hash, 'hex'), '{}', current_date - 1 from refs`,
      'analyze refs, cache.commits',
      'update cache.commits set used_on = current_date',
    ]);
  });
  after(() => filled.drop());

  it('are listed with their commits, looked up by hash', async () => {
    const page = { limit: 50, offset: 0 };
    const [rows] = await listBranches(filled.db, 1, page);
    expect(rows.filter(({ facts }) => facts !== null)).to.have.length(50);
    const [plan] = await plansOf(filled.db, inGeneral, (asked) => listBranches(asked, 1, page));
    expect(plan).to.include('commits_pkey').and.not.include('commits_by_use');
  });
});

/** Planned for all values, as everywhere. */
const inGeneral = ({ text }: Statement) => `explain (generic_plan) ${text}`;

/** Columns that nothing here looks at stay empty. */
const FILL = [
  `do $$ declare c record; begin
    for c in select attrelid::regclass as table, attname from pg_attribute
      where attrelid in ('accounts'::regclass, 'repositories'::regclass) and attnotnull and attnum > 0
        and attname not in ('id', 'valid_until')
    loop execute format('alter table %s alter column %I drop not null', c.table, c.attname); end loop; end $$`,
  `insert into accounts (id, kind, lower_name, visibility, valid_until)
    select n, 'user', 'user-' || n, 'public', 9223372036854775807 from generate_series(1, 50000) n`,
  `insert into repositories (id, owner_id, is_private, lower_name)
    select n, n % 50000, false, case when n <= 10000 then 'fork' else 'name-' || n end from generate_series(1, 100000) n`,
  'analyze accounts, repositories',
];
