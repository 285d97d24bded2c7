import { expect } from 'chai';
import { DatabaseUnavailable } from '../../../src/database/unavailable.js';
import { ReadYourWrites } from '../../../src/read-your-writes/read-your-writes.js';
import { listStopped } from '../../../projections/engine/status.js';
import { people, poison } from './people.js';
import { recordStatements } from '../../event-store/postgres/statements.js';
import { rejection } from '../../support/rejection.js';
import { waitingForLocks } from '../../support/waiting-for-locks.js';
import {
  dosed,
  engineDatabase,
  eventually,
  person,
  reached,
  startProjector,
  type EngineDatabase,
  type RunningProjector,
} from './support.js';
import { TestLog } from './test-log.js';

/** For what comes, however slow the machine. */
const PATIENT_MS = 60_000;

describe('reading your writes', () => {
  let engine: EngineDatabase;
  let log: TestLog;
  let waits: ReadYourWrites;
  let projector: RunningProjector | undefined;

  beforeEach(async () => {
    engine = await engineDatabase([people, poison]);
    log = new TestLog();
    waits = new ReadYourWrites({
      database: { ...engine.options, applicationName: 'waits' },
      schemas: { people: 'people_v1', poison: 'poison_v1' },
    });
    await waits.start();
  });

  afterEach(async () => {
    await projector?.stop();
    projector = undefined;
    await waits.close();
    await engine.drop();
  });

  const cut = () =>
    engine.database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waits'`,
    );

  const isHeldUp = async (name: string) => (await waitingForLocks(engine.database, name)) > 0;

  it('waits until the write shows', async () => {
    const position = log.append(person(1, 'Ada'));
    const shows = waits.wait(position, PATIENT_MS);
    projector = startProjector(engine, log, [people, poison]);
    expect(await shows).to.equal(true);
    expect(await engine.database.rows('select name from people_v1.people')).to.deep.equal([{ name: 'Ada' }]);
    expect(await waits.wait(position, 0)).to.equal(true);
  });

  it('counts a server that lets nobody in as one that is away', async () => {
    const url = engine.options.url.replace(/@\/[^?]+/, '@/not-there');
    const refused = new ReadYourWrites({ database: { url, applicationName: 'refused' }, schemas: {} });
    const error = await rejection(refused.start());
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(error.cause).to.have.property('code', '3D000');
  });

  it('gives up in the end', async () => {
    expect(await waits.wait(log.append(person(1, 'Ada')), 5)).to.equal(false);
  });

  it('gives up when it is closed, and from then on', async () => {
    const position = log.append(person(1, 'Ada'));
    const waiting = waits.wait(position, 3_600_000);
    await waits.close();
    expect([await waiting, await waits.wait(position, 3_600_000)]).to.deep.equal([false, false]);
  });

  it('waits for the projections that are asked about, and no others', async () => {
    projector = startProjector(engine, log, [people]);
    const position = log.append(person(1, 'Ada'));
    expect(await waits.wait(position, PATIENT_MS, ['people'])).to.equal(true);
    expect(await waits.wait(position, 0, ['poison'])).to.equal(false);
    expect(waits.checkpoint('people')).to.equal(position);
    expect(waits.lag(position).map(({ projection, behind }) => [projection, behind])).to.deep.equal([
      ['people', 0n],
      ['poison', position + 1n],
    ]);
  });

  it('does not wait for a projection that stopped, and says where it did', async () => {
    const bad = log.append(dosed(1, 100));
    projector = startProjector(engine, log, [people, poison]);
    expect(await waits.wait(log.append(person(1, 'Ada')), PATIENT_MS)).to.equal(true);
    const stopped = waits.positions().find(({ projection }) => projection === 'poison')?.stopped;
    expect(stopped).to.include({ stream: 'thing-0', revision: 0, position: bad });
  });

  it('waits for it again once it goes on', async () => {
    projector = startProjector(engine, log, [people, poison]);
    log.append(dosed(1, 100));
    await eventually(() => waits.positions().some(({ stopped }) => stopped));
    await projector.stop();
    await engine.database.rows('alter table poison_v1.doses drop constraint doses_dose_check');
    projector = startProjector(engine, log, [people, poison]);
    await reached(engine.database, 'poison_v1', log.last);
    await eventually(async () => (await listStopped(engine.database)).size === 0);
    await eventually(() => waits.positions().every(({ stopped }) => !stopped));
    expect(await waits.wait(log.append(dosed(2, 2)), PATIENT_MS)).to.equal(true);
  });

  it('reads the checkpoints again when its connection was cut, also where they went back', async () => {
    projector = startProjector(engine, log, [people, poison]);
    const position = log.append(person(1, 'Ada'));
    expect(await waits.wait(position, PATIENT_MS)).to.equal(true);
    await projector.stop();
    await engine.database.rows('update people_v1.checkpoint set position = -1');
    await cut();
    await eventually(() => waits.checkpoint('people') === -1n);
    await eventually(() => waits.connected);
    projector = startProjector(engine, log, [people, poison]);
    expect(await waits.wait(position, PATIENT_MS)).to.equal(true);
  });

  it('cannot start without the database, and says that it is away', async () => {
    const url = 'postgresql://nobody@/?host=/nonexistent';
    const nowhere = new ReadYourWrites({ database: { url, applicationName: 'waits' }, schemas: {} });
    expect(await rejection(nowhere.start())).to.be.instanceOf(DatabaseUnavailable);
  });

  it('keeps what it is told while it reads the checkpoints', async () => {
    const database = { ...engine.options, applicationName: 'late' };
    const late = new ReadYourWrites({ database, schemas: { people: 'people_v1', poison: 'poison_v1' } });
    let started: Promise<void> | undefined;
    await engine.database.transaction(async (connection) => {
      await connection.rows('lock table projector.status'); // which is read behind the checkpoints
      started = late.start();
      await eventually(() => isHeldUp('late'));
      await engine.database.rows(`select pg_notify('checkpoints', '7 people_v1 people_v1')`);
    });
    await started;
    expect([late.checkpoint('people'), late.checkpoint('poison')]).to.deep.equal([7n, -1n]);
    await late.close();
  });

  it('can be closed while it connects again', async () => {
    let closed: Promise<void> | undefined;
    await engine.database.transaction(async (connection) => {
      await connection.rows('lock table projector.status');
      await cut();
      await eventually(() => isHeldUp('waits'));
      closed = waits.close();
    });
    await closed;
  });

  it('passes over what others say on its channel', async () => {
    projector = startProjector(engine, log, [people, poison]);
    await engine.database.rows(`select pg_notify('checkpoints', 'hello people_v1 people_v1')`);
    expect(await waits.wait(log.append(person(1, 'Ada')), PATIENT_MS)).to.equal(true);
  });

  it('knows another edition of a projection once its rows change, and not before', async () => {
    projector = startProjector(engine, log, [people, poison]);
    expect(await waits.wait(log.append(person(1, 'Ada')), PATIENT_MS)).to.equal(true);
    const [ofPeople, ofPoison] = [waits.edition('people'), waits.edition('poison')];
    expect(await waits.wait(log.append(dosed(1, 1)), PATIENT_MS)).to.equal(true);
    expect(waits.edition('people')).to.equal(ofPeople);
    expect(waits.edition('poison')).to.not.equal(ofPoison);
  });

  it('knows another edition after its connection was cut, and none meanwhile', async () => {
    const before = waits.edition('people');
    const none = eventually(() => waits.edition('people') === undefined); // which may be over before the answer comes
    await cut();
    await none;
    await eventually(() => waits.edition('people') !== undefined);
    expect(waits.edition('people')).to.not.equal(before);
  });

  it('asks the database nothing for a wait: one notification ends them all', async () => {
    const recorded = recordStatements();
    try {
      const waiting = Array.from({ length: 1_000 }, (_, position) =>
        waits.wait(BigInt(position), PATIENT_MS),
      );
      await engine.database.rows(`select pg_notify('checkpoints', '1000 people_v1,poison_v1 people_v1')`);
      expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([true]));
    } finally {
      recorded.restore();
    }
    expect(recorded.texts).to.have.length(1);
  });

  it('carries thousands of waits', async () => {
    projector = startProjector(engine, log, [people, poison]);
    const shown = await Promise.all(
      Array.from({ length: 3_000 }, (_, id) => waits.wait(log.append(person(id, 'Ada')), PATIENT_MS)),
    );
    expect(new Set(shown)).to.deep.equal(new Set([true]));
  });
});
