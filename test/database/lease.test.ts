import { expect } from 'chai';
import pg from 'pg';
import { connectionOptions } from '../../src/database/connection-options.js';
import type { DatabaseOptions } from '../../src/database/database.js';
import { Lease } from '../../src/database/lease.js';
import { engineDatabase, type EngineDatabase } from '../projections/engine/support.js';

describe('a lease', () => {
  let engine: EngineDatabase;
  let options: DatabaseOptions;
  const leases: Lease[] = [];
  before(async () => {
    engine = await engineDatabase([]);
    ({ options } = engine);
  });
  afterEach(async () => {
    // The session of some may have been ended just now.
    for (const lease of leases.splice(0)) await lease.release().catch(() => undefined);
  });
  after(() => engine.drop());

  const open = async () => {
    const lease = await Lease.open(options);
    leases.push(lease);
    return lease;
  };
  const endAt = (time: string) => engine.database.rows(`update projector.leases set expires_at = ${time}`);
  const expire = () => endAt(`'-infinity'`);
  /** Those that are held last, however slow the machine. */
  const prolong = () =>
    engine.database.rows(
      `update projector.leases set expires_at = 'infinity' where expires_at > '-infinity'`,
    );

  it('is of one at a time, for as long as that one renews it', async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.renew(['a', 'b'])).to.have.members(['a', 'b']);
    await prolong();
    expect(await other.renew(['b', 'c'])).to.deep.equal(['c']);
    expect(await one.renew(['a', 'b'])).to.have.members(['a', 'b']);
    await expire();
    expect(await one.renew(['a', 'b'])).to.have.members(['a', 'b']);
    await prolong();
    expect(await other.renew(['a', 'b'])).to.deep.equal([]);
  });

  it('goes to another at once when its session is gone, and when it is given up', async () => {
    const [one, other, third] = [await open(), await open(), await open()];
    await one.renew(['a']);
    await endAt(`'infinity'`);
    await engine.database.rows(`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%${one.holder}'`);
    while ((await other.renew(['a'])).length === 0);
    await leases.splice(leases.indexOf(other), 1)[0]?.release();
    expect(await third.renew(['a'])).to.deep.equal(['a']);
  });

  it('goes to another where a session of another time has the number of its own, as after a restart', async () => {
    const [one, other] = [await open(), await open()];
    await one.renew(['a']);
    await endAt(`'infinity', backend_start = 'epoch'`);
    expect(await other.renew(['a'])).to.deep.equal(['a']);
  });

  it('takes the locks of a holder along that stands still in a transaction', async () => {
    const [one, other] = [await open(), await open()];
    await one.renew(['a']);
    const paused = new pg.Client(connectionOptions(one.databaseOptions(options)));
    const errors: Error[] = [];
    const ended = new Promise((resolve) => paused.once('end', resolve));
    paused.on('error', (error) => errors.push(error));
    await paused.connect();
    await paused.query('begin');
    await paused.query('lock table projector.status');
    await expire();
    expect(await other.renew(['a'])).to.deep.equal(['a']);
    await engine.database.rows('delete from projector.status');
    await ended;
    expect(errors[0]).to.have.property('code', '57P01');
  });
});
