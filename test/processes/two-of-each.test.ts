import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { sql } from '../../src/database/sql.js';
import { LEASE_SECONDS } from '../../src/database/lease.js';
import { RENEW_MS } from '../../projections/engine/projector.js';
import { ADMIN, PASSWORD, startApi, type TestApi } from '../support/api.js';
import { clientOf, type Client, type TestAnswer } from '../support/client.js';
import { runProgram, until } from '../support/process.js';
import { readInTime } from '../support/processes/quota-reading.js';
import { Service, type ServiceName } from '../support/processes/service.js';
import { gitClient, type GitClient } from '../git-http/client.js';
import { HookReceiver } from '../torture/receiver.js';

const POSITION = 'x-tallyforge-position';
const ROUNDS = 6;

describe('two api, two projector and two dispatcher processes', () => {
  let site: TestApi;
  let apis: readonly [Service, Service];
  let git: GitClient;
  let receiver: HookReceiver;
  /** Those that run, the eldest first: of projectors and dispatchers that is the one at work. */
  const running: Service[] = [];

  const start = async (name: ServiceName) => {
    const service = await Service.start(name, { ...site.environment, ALLOW_LOCAL_NETWORKS: 'true' });
    running.push(service);
    return service;
  };
  const atWork = (name: ServiceName): Service => {
    const index = running.findIndex((service) => service.name === name);
    const [service] = running.splice(index, 1);
    if (!service) throw new Error(`no ${name} runs`);
    return service;
  };
  const root = (api: Service): Client => clientOf(() => api.address, ADMIN);
  const ada = (api: Service): Client => clientOf(() => api.address, { username: 'ada', password: PASSWORD });
  /** The one that is given first, and then the other. */
  const inTurn = (round: number): typeof apis => (round % 2 === 0 ? apis : [apis[1], apis[0]]);

  before(async () => {
    site = await startApi();
    await site.createUser('ada');
    await site.pauseProjector(); // those below are the projectors
    await start('projector');
    await until(async () => (await holders()).length === 1);
    await start('projector');
    apis = [await start('api'), await start('api')];
    await start('dispatcher');
    await until(async () => (await holders('followers')).length > 0);
    await start('dispatcher');
    git = await gitClient();
    receiver = await HookReceiver.open();
  });
  after(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await receiver.close();
    await git.remove();
    site.resumeProjector();
    await site.stop();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed')
      for (const service of running) console.error(service.output().slice(-3_000));
  });

  /** Who holds leases and lives: of those of read models, or of the others. */
  const holders = async (of: 'read models' | 'followers' = 'read models') => {
    const rows = await site.connections.db.rows<{ holder: string }>(
      sql`select distinct l.holder from projector.leases l
          join pg_stat_activity a on a.pid = l.backend_pid and a.backend_start = l.backend_start
          where (l.schema = any(${projections.map(schemaOf)})) = ${of === 'read models'}`,
    );
    return rows.map(({ holder }) => holder);
  };

  /** What one says of a rule to whoever sends the position of a write along. */
  const statusAt = async (reader: Service, name: string, written: TestAnswer) => {
    const position = { [POSITION]: written.headers.get(POSITION) ?? '' };
    return (await readInTime(root(reader), `/admin/quota/rules/${name}`, position)).status;
  };
  /** Writes with one, and has the other show it at once to whoever sends the position along. */
  const expectShownByOther = async (round: number, name: string) => {
    const [writer, reader] = inTurn(round);
    const written = await root(writer).post('/admin/quota/rules', { name, limit: 1, subjects: [] });
    expect(written.status, written.text).to.equal(201);
    expect(await statusAt(reader, name, written)).to.equal(200);
  };

  it('show each other’s writes to a caller who sends the position along', async () => {
    for (let round = 0; round < ROUNDS; round += 1) await expectShownByOther(round, `shown-${round}`);
  });

  it('drop what they remember of a token when the other revokes it', async () => {
    const [one, other] = apis;
    const made = await ada(one).post('/users/ada/tokens', { name: 'short', scopes: ['read:user'] });
    const { id, sha1: token } = made.json as { id: number; sha1: string };
    const bearer = clientOf(() => other.address, { token });
    for (let call = 0; call < 3; call += 1) expect((await bearer.get('/user')).status).to.equal(200);
    expect((await ada(one).delete(`/users/ada/tokens/${id}`)).status).to.equal(204);
    await until(async () => (await bearer.get('/user')).status === 401);
    expect((await bearer.get('/user')).status).to.equal(401);
  });

  it('give a name to one of two', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const username = `twin-${round}`;
      const answers = await Promise.all(
        apis.map((api, index) =>
          root(api).post('/admin/users', {
            username,
            email: `${username}-${index}@example.org`,
            password: PASSWORD,
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 422]);
    }
    const repositories = await Promise.all(
      apis.map((api) => ada(api).post('/user/repos', { name: 'shared', auto_init: true })),
    );
    expect(repositories.map(({ status }) => status).sort()).to.deep.equal([201, 409]);
  });

  it('number the issues of a repository without gaps', async () => {
    const opened = await Promise.all(
      Array.from({ length: 4 * ROUNDS }, (_, index) =>
        ada(inTurn(index)[0]).post('/repos/ada/shared/issues', { title: `issue ${index}` }),
      ),
    );
    const numbers = opened.map(({ json }) => (json as { number: number }).number);
    expect(numbers.sort((left, right) => left - right)).to.deep.equal(numbers.map((_, index) => index + 1));
  });

  it('never let two writers pass a limit together', async () => {
    const limit = 250_000;
    await root(apis[0]).post('/admin/quota/rules', { name: 'small', limit, subjects: ['size:all'] });
    await root(apis[0]).post('/admin/quota/groups', { name: 'small', rules: [{ name: 'small' }] });
    await root(apis[0]).put('/admin/quota/groups/small/users/ada');
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        apis.map((api, index) =>
          ada(api).post(`/repos/ada/shared/contents/file-${round}-${index}`, {
            content: randomBytes(40_000).toString('base64'),
            message: 'add',
          }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses).to.include.members([201, 413]);
    const { json } = await root(apis[1]).get('/admin/users/ada/quota');
    const used = (json as { used: { size: { repos: { public: number; private: number } } } }).used.size.repos;
    expect(used.public + used.private)
      .to.be.greaterThan(0)
      .and.to.be.at.most(limit);
    await root(apis[0]).delete('/admin/quota/groups/small/users/ada');
  });

  it('take pushes to one repository, of which one wins where two race', async () => {
    const remote = (api: Service) =>
      `${api.address.replace('//', `//ada:${PASSWORD.replace(' ', '%20')}@`)}/ada/shared.git`;
    const [main] = apis;
    for (const name of ['left', 'right']) await git.git(['clone', '--quiet', remote(main), name]);
    const tips = await Promise.all(
      ['left', 'right'].map((name) => git.commit(name, { [name]: name }, `from ${name}`)),
    );
    const push = (name: string, api: Service, ref: string) =>
      git.run(['push', '--quiet', remote(api), `HEAD:${ref}`], { in: name });
    const apart = await Promise.all([
      push('left', apis[0], 'refs/heads/left'),
      push('right', apis[1], 'refs/heads/right'),
    ]);
    expect(apart.map(({ code }) => code)).to.deep.equal([0, 0]);
    const racing = await Promise.all([push('left', apis[0], 'main'), push('right', apis[1], 'main')]);
    expect(racing.filter(({ code }) => code === 0)).to.have.length(1);
    const listed = await Promise.all(apis.map((api) => git.git(['ls-remote', '--heads', remote(api)])));
    expect(listed[0]).to.equal(listed[1]);
    expect(listed[0]).to.include(tips[racing.findIndex(({ code }) => code === 0)]);
  });

  it('lose no write when the projector at work is killed, or stands still', async () => {
    // A holder that stands still is followed at its latest a lease and a look after its last sign of life.
    expect(LEASE_SECONDS + RENEW_MS / 1000).to.be.below(5);
    for (const [index, strike] of (['kill', 'pause'] as const).entries()) {
      const victim = atWork('projector');
      const stop = new AbortController();
      const load = write(stop.signal, `${strike}-`);
      if (strike === 'kill') await victim.kill();
      else {
        victim.pause();
        running.push(victim);
      }
      // Nothing is shown before the other projector has taken over.
      const during = `during-${strike}`;
      await root(apis[0]).post('/admin/quota/rules', { name: during, limit: 1, subjects: [] });
      await until(async () => (await root(apis[1]).get(`/admin/quota/rules/${during}`)).status === 200);
      await expectShownByOther(index, `after-${strike}`);
      stop.abort();
      const acknowledged = await load;
      if (strike === 'kill') await start('projector');
      else victim.resume();
      await expectShownByOther(index + 1, `woken-${strike}`);
      expect(acknowledged).not.to.be.empty;
      const { text } = await root(apis[index] ?? apis[0]).get('/admin/quota/rules');
      for (const name of acknowledged) expect(text).to.include(`"${name}"`);
    }
    await expectRowsOfTheLog();
  });

  it('go on when one api is killed, with what the other had acknowledged', async () => {
    const [one, other] = apis;
    const made = await root(other).post('/admin/quota/rules', { name: 'before', limit: 1, subjects: [] });
    expect(made.status).to.equal(201);
    running.splice(running.indexOf(other), 1);
    await other.kill();
    expect(await statusAt(one, 'before', made)).to.equal(200);
    apis = [one, await start('api')];
    await expectShownByOther(0, 'after-api');
  });

  it('tell hooks of everything when the dispatcher that plans is killed', async () => {
    const hook = {
      type: 'forgejo',
      events: ['issues'],
      active: true,
      config: { url: receiver.url, content_type: 'json' },
    };
    expect((await ada(apis[0]).post('/repos/ada/shared/hooks', hook)).status).to.equal(201);
    const open = (title: string) => ada(apis[1]).post('/repos/ada/shared/issues', { title });
    await open('first');
    await until(() => receiver.told.has('issue first'));
    await atWork('dispatcher').kill();
    await open('second');
    await until(() => receiver.told.has('issue second'));
  });

  /** Makes rules with both in turn until it is told to stop; gives those that were acknowledged. */
  const write = async (signal: AbortSignal, prefix: string): Promise<string[]> => {
    const acknowledged: string[] = [];
    for (let round = 0; !signal.aborted; round += 1) {
      const name = `${prefix}${round}`;
      const { status } = await root(inTurn(round)[0]).post('/admin/quota/rules', {
        name,
        limit: 1,
        subjects: [],
      });
      if (status === 201) acknowledged.push(name);
    }
    return acknowledged;
  };

  /** Every row is what the log makes it. */
  const expectRowsOfTheLog = async () => {
    const verify = runProgram('projections/rebuild/main.js', ['--all', '--verify'], site.environment);
    expect(await verify.ended(), verify.output()).to.deep.include({ code: 0 });
  };
});
