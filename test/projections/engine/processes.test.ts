import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ProgressLines } from '../../../projections/rebuild/progress.js';
import { rebuild } from '../../../projections/rebuild/rebuild.js';
import { people, TEST_MIGRATIONS } from './people.js';
import {
  engineDatabase,
  eventually,
  person,
  reached,
  scored,
  startProjector,
  type EngineDatabase,
  type RunningProjector,
} from './support.js';
import { silent } from './silent.js';
import { TableLog } from './table-log.js';

describe('projectors and rebuilds in processes of their own', () => {
  let engine: EngineDatabase;
  let log: TableLog;
  const children: ChildProcess[] = [];
  let projector: RunningProjector | undefined;

  beforeEach(async () => {
    engine = await engineDatabase([people]);
    log = new TableLog(engine.database);
    await log.create();
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map(killed));
    await projector?.stop();
    projector = undefined;
    await engine.drop();
  });

  const start = (script: string) => {
    const child = fork(fileURLToPath(new URL(script, import.meta.url)), [engine.options.url], {
      stdio: 'inherit',
    });
    children.push(child);
    return child;
  };
  /** From now on no lease runs out, however slow its holder is to renew it. */
  const letLeasesLast = () =>
    engine.database.rows(`
      create function projector.last() returns trigger language plpgsql as $$
        begin new.expires_at = 'infinity'; return new; end $$;
      create trigger last before insert or update on projector.leases
        for each row execute function projector.last();
      update projector.leases set expires_at = expires_at`);
  const score = async () =>
    (await engine.database.rows<{ score: number }>('select score from people_v1.people where id = 1'))[0]
      ?.score;

  it('another takes over from a projector that was killed', async () => {
    const first = start('projector-process.js');
    await reached(engine.database, 'people_v1', await log.append(person(1, 'Ada'), scored(1, 1)));
    start('projector-process.js');
    await killed(first);
    await reached(engine.database, 'people_v1', await log.append(scored(1, 1)));
    expect(await score()).to.equal(2);
  });

  it('a projector that was paused and wakes after another took over writes nothing', async () => {
    const paused = start('projector-process.js');
    await reached(engine.database, 'people_v1', await log.append(person(1, 'Ada'), scored(1, 1)));
    paused.kill('SIGSTOP');
    await engine.database.rows(`update projector.leases set expires_at = now() - interval '1 s'`); // as 5 s later
    start('projector-process.js');
    await reached(engine.database, 'people_v1', await log.append(scored(1, 1), scored(1, 1)));
    await letLeasesLast();

    const written: number[] = [];
    paused.on('message', (position) => written.push(Number(position)));
    paused.kill('SIGCONT');
    const leased = () => engine.database.rows<{ holder: string }>('select holder from projector.leases');
    const [{ holder } = { holder: '' }] = await leased();
    for (let round = 0; round < 20; round++) {
      await reached(engine.database, 'people_v1', await log.append(scored(1, 1)));
      await sleep(10);
    }
    expect(await score()).to.equal(23);
    expect(written.filter((position) => position > 2)).to.deep.equal([]); // those before may be told late
    expect(await leased()).to.deep.equal([{ holder }]);
  });

  it('a rebuild killed at any point leaves the live tables serving, and the next one cleans up', async () => {
    projector = startProjector(engine, log, [people]);
    await log.append(person(1, 'Ada'), ...Array.from({ length: 300 }, () => scored(1, 1)));
    for (const delay of [0, 15, 40, 70, 110]) {
      const child = start('rebuild-process.js');
      await once(child, 'message');
      await sleep(delay);
      await killed(child);
      await reached(engine.database, 'people_v1', await log.append(scored(1, 1)));
    }
    expect(await score()).to.equal(305);

    const gone = () =>
      engine.database.rows(`select from pg_stat_activity where application_name = 'rebuild-process'`);
    await eventually(async () => (await gone()).length === 0);
    await rebuild(
      {
        database: engine.database,
        connection: engine.options,
        source: log,
        log: silent,
        signal: new AbortController().signal,
      },
      {
        projections: [people],
        verify: false,
        progress: new ProgressLines(() => undefined),
        migrations: TEST_MIGRATIONS,
        onCompared: (_, { differences }) => expect(differences).to.deep.equal([]),
        onFilled: () => expect.fail('there were rows to compare with'),
        end: () => log.end(),
      },
    );
    const schemas = await engine.database.rows(
      `select nspname::text as name from pg_namespace where nspname like 'people%' order by 1`,
    );
    expect(schemas).to.deep.equal([{ name: 'people_v1' }, { name: 'people_v1__old' }]);
    await reached(engine.database, 'people_v1', await log.append(scored(1, 1)));
    expect(await score()).to.equal(306);
  });
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
