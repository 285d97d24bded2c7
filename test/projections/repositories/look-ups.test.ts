import { expect } from 'chai';
import { accounts } from '../../../projections/accounts/accounts.js';
import { grants } from '../../../projections/organizations/grants.js';
import { organizations } from '../../../projections/organizations/organizations.js';
import { schemaOf } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import { repositoryParts } from '../../../projections/repositories/repository-parts.js';
import { Database, type Queryable } from '../../../src/database/database.js';
import type { Statement } from '../../../src/database/sql.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { findRepository } from '../../../src/queries/repositories/repositories.js';
import { repositoryExists, repositoryIds } from '../../../src/queries/repositories/repository-ids.js';
import { engineDatabase, type EngineDatabase } from '../engine/support.js';
import { plansOf } from '../plans.js';

const built = [accounts, organizations, grants, repositories, repositoryParts];
const anybody = { id: null, isAdmin: false, restricted: false, narrow: false };

describe('one of 100,000 repositories, of which 10,000 have its name', () => {
  let scratch: EngineDatabase;
  let db: Database;

  before(async () => {
    scratch = await engineDatabase(built, MIGRATIONS);
    db = new Database({ ...scratch.options, searchPath: [...built.map(schemaOf), 'public'] });
    for (const statement of FILL) await db.rows(statement);
  });
  after(async () => {
    await db.close();
    await scratch.drop();
  });

  it('is found', async () => {
    expect(await findRepository(db, 'User-7', 'Fork', anybody)).to.include({ id: 7 });
  });

  it('is looked up among those of its owner', async () => {
    const generic = ({ text }: Statement) => `explain (generic_plan) ${text}`; // planned for all values, as everywhere
    const plans = await plansOf(db, generic, (asked) => findRepository(asked, 'User-7', 'Fork', anybody));
    expect(plans).to.include('repositories_by_owner').and.not.include('repositories_by_name');
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
