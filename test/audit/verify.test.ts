import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { verify, type Differences } from '../../src/audit/verify.js';
import { quota } from '../../projections/quota/quota.js';
import { schemaOf } from '../../projections/projection.js';
import { Random } from '../support/random.js';
import { rejection } from '../support/rejection.js';
import { recordQuotas, type RecordedQuotas } from './recorded-quotas.js';
import { tampered } from './tampered.js';

const KEPT = `name = 'kept'`;

describe('verifying the read models', () => {
  let past: RecordedQuotas;
  let db: Database;
  const compare = async (): Promise<Differences> =>
    verify(past.api.connections.log, db, await past.api.connections.log.lastPosition());
  /** Any tampering must show, whichever accounts share a page. */
  const PAGES = [1, 2, 1_000];

  before(async () => {
    past = await recordQuotas(new Random(1), 30);
    db = new Database({
      url: past.api.connections.databaseUrl,
      applicationName: 'test-verify',
      searchPath: [schemaOf(quota)],
    });
    const { admin } = past.api;
    await admin.post('/admin/quota/groups', {
      name: 'known',
      rules: [{ name: 'kept', limit: 4, subjects: ['size:all'] }],
    });
    await admin.patch('/admin/quota/rules/kept', { limit: 5 });
    await admin.put('/admin/quota/groups/known/users/alice');
    await past.api.pauseProjector();
  });
  after(async () => {
    await db.close();
    await past.api.stop();
  });

  it('finds no difference where nobody has tampered', async () => {
    const { rows, missing, surplus } = await compare();
    expect({ missing, surplus }).to.deep.equal({ missing: [], surplus: [] });
    expect(rows).to.be.greaterThan(3);
    const { log } = past.api.connections;
    for (const page of PAGES)
      expect(await verify(log, db, await log.lastPosition(), page)).to.deep.include({
        rows,
        missing,
        surplus,
      });
  });

  for (const [what, tampering, missing, surplus] of [
    [
      'a changed limit',
      `update quota_rules set "limit" = 6 where ${KEPT} and valid_until = 9223372036854775807`,
      /: kept 5 size:all/,
      /: kept 6 size:all/,
    ],
    ['a lost group', `delete from quota_groups where name = 'known'`, /^group \d+: known$/, undefined],
    ['a rule that fell out of its group', 'delete from quota_group_rules', /^group rule \d+ \d+$/, undefined],
    [
      'a member who never joined',
      'insert into quota_members select id, 99, 1, 9223372036854775807 from quota_groups',
      undefined,
      /^member \d+ 99$/,
    ],
    [
      'usage of an account before all others',
      `insert into quota_usage values (-1, 'size:git:lfs', 7, 1, 9223372036854775807)`,
      undefined,
      /^usage -1 size:git:lfs: 7$/,
    ],
    ['members who are lost', 'delete from quota_members', /^member \d+ \d+$/, undefined],
    [
      'usage out of nowhere',
      `insert into quota_usage values (99, 'size:git:lfs', 7, 1, 9223372036854775807)`,
      undefined,
      /^usage 99 size:git:lfs: 7$/,
    ],
    [
      'room that nobody reserved',
      `insert into quota_reservations values
        (99, gen_random_uuid(), '1', 'size:git:lfs', 7, '2026-01-01T00:00:00Z', 1, 9223372036854775807)`,
      undefined,
      /^reservation 99 .*: 1 size:git:lfs 7 until 2026-01-01T00:00:00.000Z$/,
    ],
    [
      'a limit of before that was changed',
      `update quota_rules set "limit" = 3 where ${KEPT} and valid_until < 9223372036854775807`,
      /: kept 4 size:all from \d+ to \d+$/,
      /: kept 3 size:all from \d+ to \d+$/,
    ],
    [
      'a limit of before that is lost',
      `delete from quota_rules where ${KEPT} and valid_until < 9223372036854775807`,
      /: kept 4 size:all from \d+ to \d+$/,
      undefined,
    ],
    [
      'a limit that ended too early',
      `update quota_rules set valid_until = valid_until - 1 where ${KEPT} and valid_until < 9223372036854775807`,
      /: kept 4 size:all from \d+ to \d+$/,
      /: kept 4 size:all from \d+ to \d+$/,
    ],
    [
      'a limit that began too early',
      `update quota_rules set valid_from = valid_from - 1 where ${KEPT} and valid_until = 9223372036854775807`,
      /: kept 5 size:all from \d+$/,
      /: kept 5 size:all from \d+$/,
    ],
    [
      'a limit that is to end after the last event',
      `update quota_rules set valid_until = valid_until - 1 where ${KEPT} and valid_until = 9223372036854775807`,
      /: kept 5 size:all$/,
      /: kept 5 size:all from \d+ to 9223372036854775806$/,
    ],
    [
      'usage of before out of nowhere, though it be none',
      `insert into quota_usage values (99, 'size:git:lfs', 0, 1, 2)`,
      undefined,
      /^usage 99 size:git:lfs: 0 from 1 to 2$/,
    ],
  ] as const) {
    it(`finds ${what}`, async () => {
      const { log } = past.api.connections;
      const last = await log.lastPosition();
      const found: Differences[] = [];
      await tampered(db, tampering, async (changed) => {
        for (const page of PAGES) found.push(await verify(log, changed, last, page));
      });
      const matching = (rows: readonly string[], pattern: RegExp | undefined) =>
        pattern === undefined ? rows.length === 0 : rows.some((row) => pattern.test(row));
      expect(found).to.have.length(PAGES.length);
      for (const rows of found) {
        expect(matching(rows.missing, missing), `missing: ${rows.missing.join('; ')}`).to.equal(true);
        expect(matching(rows.surplus, surplus), `surplus: ${rows.surplus.join('; ')}`).to.equal(true);
      }
    });
  }

  it('passes over what another program wrote, and names what it cannot do without', async () => {
    const { store, log } = past.api.connections;
    const foreign = (stream: string) =>
      store.append(stream, 'noStream', [{ id: randomUUID(), type: 'Sold', data: {}, metadata: {} }]);
    await foreign('issue-of-another-program');
    const { missing, surplus } = await compare();
    expect({ missing, surplus }).to.deep.equal({ missing: [], surplus: [] });
    const { position } = await foreign('storageLedger-424242');
    const refusal = await rejection(verify(log, db, position));
    expect(refusal.message).to.include(`Sold, revision 0 of storageLedger-424242, position ${position}`);
  });
});
