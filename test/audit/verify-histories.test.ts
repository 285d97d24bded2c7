import { expect } from 'chai';
import fc from 'fast-check';
import { ReadModel } from '../../projections/engine/read-model.js';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { ProgressLines } from '../../projections/rebuild/progress.js';
import { build } from '../../projections/rebuild/rebuild.js';
import { verify } from '../../src/audit/verify.js';
import { Database } from '../../src/database/database.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { START, type Position } from '../../src/event-store/event-store.js';
import { MIGRATIONS } from '../../src/migrate/migration-files.js';
import { engineDatabase, type EngineDatabase } from '../projections/engine/support.js';
import { silent } from '../projections/engine/silent.js';
import { runs } from '../properties/runs.js';
import { TestPeople } from '../support/people.js';
import { Random } from '../support/random.js';
import { RandomQuotas } from './random-quotas.js';
import { tampered } from './tampered.js';

type Table = keyof typeof quota.tables;
const TABLES = Object.keys(quota.tables);
const NO_DIFFERENCE = { missing: [], surplus: [] };

/** A change to the values or to the key of a row. */
const CHANGED: Readonly<Record<Table, string>> = {
  quota_rules: '"limit" = "limit" + 1',
  quota_groups: `name = name || ' '`,
  quota_group_rules: 'rule_id = rule_id + 1000',
  quota_members: 'account_id = account_id + 1000',
  quota_defaults: 'groups = array[groups::text]',
  quota_usage: 'bytes = bytes + 1',
  quota_reservations: `expires_at = expires_at + interval '1 second'`,
};

const copied = (table: Table, validity: object): string =>
  `insert into ${table} select (jsonb_populate_record(t, '${JSON.stringify(validity)}')).* from ${table} t`;

const TAMPERING: Readonly<Record<string, (table: Table) => string>> = {
  'with another value': (table) => `update ${table} t set ${CHANGED[table]}`,
  'that begins too early': (table) => `update ${table} t set valid_from = valid_from - 1`,
  'that begins too late': (table) => `update ${table} t set valid_from = valid_from + 1`,
  'that ends before it begins': (table) => `update ${table} t set valid_until = -valid_until`,
  'that is gone': (table) => `delete from ${table} t`,
  'that never was': (table) => copied(table, { valid_from: 0, valid_until: 1 }),
  'that is yet to come': (table) => copied(table, { valid_from: 9_000, valid_until: 9_001 }),
};

describe('verifying the read models of any history', () => {
  let engine: EngineDatabase;
  let db: Database;
  let model: ReadModel;

  before(async () => {
    engine = await engineDatabase([quota], MIGRATIONS);
    db = new Database({ ...engine.options, searchPath: [schemaOf(quota)] });
    model = await ReadModel.open(engine.database, quota, schemaOf(quota));
  });
  after(async () => {
    await db.close();
    await engine.drop();
  });

  /** Makes a history and its read model, which is built in several runs, as a projector that is restarted does. */
  async function history(random: Random): Promise<EventLog> {
    for (const table of TABLES) await db.rows(`delete from ${table}`);
    await db.rows(`update checkpoint set position = ${START}, recorded_at = 'epoch'`);
    const log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    const quotas = new RandomQuotas(log, random);
    for (let run = 0; run < 4; run += 1) {
      await quotas.give(40);
      await buildTo(await log.lastPosition(), log);
    }
    return log;
  }

  const buildTo = (position: Position, source: EventLog): Promise<void> => {
    const { signal } = new AbortController();
    const context = { database: engine.database, connection: engine.options, source, log: silent, signal };
    return build(context, new Map([[model, position]]), new ProgressLines(() => undefined));
  };

  it('finds no difference at any position up to which they stand, or stood', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = new Random(seed);
        const log = await history(random);
        const last = await log.lastPosition();
        for (const position of [START, BigInt(random.below(Number(last))), last]) {
          const found = await verify(log, db, position, 1 + random.below(20));
          expect(found, `position ${position}`).to.deep.include(NO_DIFFERENCE);
        }
      }),
      runs(8),
    ));

  for (const [what, tampering] of Object.entries(TAMPERING))
    it(`finds any row ${what}, however old`, () =>
      fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const random = new Random(seed);
          const log = await history(random);
          const last = await log.lastPosition();
          for (const table of TABLES) {
            const row = random.anyOf(await db.rows<{ ctid: string }>(`select ctid::text from ${table}`));
            if (!row) continue;
            const statement = `${tampering(table)} where t.ctid = '${row.ctid}'`;
            const found = await tampered(db, statement, (changed) =>
              verify(log, changed, last, 1 + random.below(20), random.pick([1, 10, 250_000])),
            );
            expect([...found.missing, ...found.surplus], statement).to.have.length.within(1, 4);
          }
        }),
        runs(2),
      ));
});
