import { accountHistory } from '../../projections/accounts/account-history.js';
import { accounts } from '../../projections/accounts/accounts.js';
import { quotaHistory } from '../../projections/quota/quota-history.js';
import { quotaInsights } from '../../projections/quota/quota-insights.js';
import { repositories } from '../../projections/repositories/repositories.js';
import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import type { Statement } from '../../src/database/sql.js';
import { listAccountHistory } from '../../src/queries/accounts/account-history.js';
import { listPublicKeys } from '../../src/queries/accounts/public-keys.js';
import { STILL } from '../../src/database/still.js';
import { NOW } from '../../src/queries/moment.js';
import { listQuotaHistory } from '../../src/queries/quota/quota-history.js';
import { listQuotaRefusals } from '../../src/queries/quota/quota-refusals.js';
import { listQuotaThresholds } from '../../src/queries/quota/quota-thresholds.js';
import { listRefs } from '../../src/queries/repositories/refs.js';
import { filledDatabase, type FilledDatabase } from './filled-database.js';
import { plansOf } from './plans.js';

const built = [accounts, accountHistory, quotaHistory, quotaInsights, repositories];
const page = { limit: 50, offset: 0 };
const ever = { at: NOW, since: null, until: null };
const changes = { subjectId: null, actorId: null, ...ever };
const quotaChanges = { accountId: null, group: null, rule: null, ...ever };

describe('what is rare among 50,000 rows', () => {
  let filled: FilledDatabase;
  let db: Database;

  before(async () => {
    filled = await filledDatabase(built, FILL);
    db = filled.db;
  });
  after(() => filled.drop());

  const lists: Readonly<
    Record<string, readonly [index: string, ask: (asked: Queryable) => Promise<unknown>]>
  > = {
    'the keys of an account': [
      'public_keys_pkey',
      (asked) => listPublicKeys(asked, { accountId: 7, fingerprint: null }, page),
    ],
    'the key of a fingerprint': [
      'public_keys_by_fingerprint',
      (asked) => listPublicKeys(asked, { accountId: null, fingerprint: 'x' }, page),
    ],
    'changes to an account': [
      'account_changes_by_account',
      (asked) => listAccountHistory(asked, { ...changes, subjectId: 7 }, page),
    ],
    'changes by an account': [
      'account_changes_by_actor',
      (asked) => listAccountHistory(asked, { ...changes, actorId: 7 }, page),
    ],
    'changes to the quota of an account': [
      'quota_changes_by_account',
      (asked) => listQuotaHistory(asked, { ...quotaChanges, accountId: 7 }, page),
    ],
    'changes to a group': [
      'quota_changes_by_group',
      (asked) => listQuotaHistory(asked, { ...quotaChanges, group: 'x' }, page),
    ],
    'refusals of an account': [
      'quota_refusals_pkey',
      (asked) => listQuotaRefusals(asked, { accountId: 7, ...ever }, page),
    ],
    'thresholds of an account': [
      'quota_thresholds_by_account',
      (asked) => listQuotaThresholds(asked, { accountId: 7, ...ever }, page),
    ],
  };

  for (const [title, [index, ask]] of Object.entries(lists))
    it(`is looked up and counted: ${title}`, async () => {
      const generic = ({ text }: Statement) => `explain (generic_plan) ${text}`; // planned for all values, as everywhere
      const plans = await plansOf(db, generic, ask);
      expect(plans).to.have.length(2);
      for (const plan of plans) expect(plan).to.include(` ${index} `);
    });

  it('is looked up: the refs whose names begin so', async () => {
    expect((await listRefs(db, 1, 'refs/heads/b1999', 100)).map(({ name }) => name)).to.deep.equal([
      'refs/heads/b1999',
      ...Array.from({ length: 10 }, (_, digit) => `refs/heads/b1999${digit}`),
    ]);
    const generic = ({ text }: Statement) => `explain (generic_plan) ${text}`;
    const [plan] = await plansOf(db, generic, (asked) => listRefs(asked, 1, 'refs/heads/b1999', 100));
    expect(plan)
      .to.match(/Index Cond: .*name >= .*name < /)
      .and.not.include('Filter');
  });
});

/** Columns that nothing here looks at stay empty. */
const FILL = [
  `do $$ declare c record; begin
    for c in select attrelid::regclass as table, attname from pg_attribute
      where attrelid in ('public_keys'::regclass, 'account_changes'::regclass, 'quota_changes'::regclass,
          'quota_refusals'::regclass, 'quota_thresholds'::regclass, 'refs'::regclass)
        and attnotnull and attnum > 0 and not exists (
          select from pg_index where indrelid = attrelid and indisprimary and attnum = any(indkey))
    loop execute format('alter table %s alter column %I drop not null', c.table, c.attname); end loop; end $$`,
  `insert into public_keys (id, account_id, fingerprint) select n, n % 5000, md5(n::text) from generate_series(1, 50000) n`,
  `insert into account_changes (position, actor_id, account_ids)
    select n, n % 5000, array[n % 5000] from generate_series(1, 50000) n`,
  `insert into quota_changes (position, account_id, "groups", "rules")
    select n, n % 5000, array['group ' || n % 5000], array['rule ' || n % 5000] from generate_series(1, 50000) n`,
  `insert into quota_refusals (account_id, subject, minute, valid_from, valid_until)
    select n % 5000, 'size:all', n, n, ${STILL} from generate_series(1, 50000) n`,
  `insert into quota_thresholds (position, account_id) select n, n % 5000 from generate_series(1, 50000) n`,
  `insert into refs (repository_id, name) select 1, 'refs/heads/b' || n from generate_series(1, 50000) n`,
  'vacuum analyze public_keys, account_changes, quota_changes, quota_refusals, quota_thresholds, refs',
];
