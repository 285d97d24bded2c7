import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { repositories } from '../../projections/repositories/repositories.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Database } from '../../src/database/database.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { RepositoryLanguages } from '../../src/domain/repositories/languages.js';
import { followLanguages } from '../../src/languages/language-follower.js';
import { measureLanguages, type MeasureServices } from '../../src/languages/measure-languages.js';
import { gitWorld, type GitWorld, type TestRepository } from '../git-http/world.js';
import { silent } from '../projections/engine/silent.js';
import { buildAnew, rowsOf } from '../projections/read-models.js';
import { until } from '../support/process.js';

describe('languages that are measured', () => {
  let world: GitWorld;
  let db: Database;
  let services: MeasureServices;

  before(async () => {
    world = await gitWorld();
    const url = world.api.databaseUrl;
    db = new Database({ url, applicationName: 'test', searchPath: [...projections.map(schemaOf), 'public'] });
    services = { db, commands: new CommandHandler({ log: world.api.connections.log }), git: world.disk };
  });
  after(async () => {
    await db.close();
    await world.stop();
  });

  const place = ({ owner, name }: TestRepository) => `/repos/${owner}/${name}`;
  const language = async (repository: TestRepository) => {
    await world.api.shown();
    return ((await world.owner.get(place(repository))).json as { language: string }).language;
  };
  const events = (category: string, { id }: TestRepository): Promise<readonly DomainEvent[]> =>
    world.api.connections.log.readStream(`${category}-${String(id)}`);
  const measured = async (repository: TestRepository) =>
    (await events('languages', repository)).map(({ data }) => data.languages);
  /** Does what follows from the newest event of a repository, as the follower does. */
  const measure = async (repository: TestRepository) => {
    const newest = (await events('repository', repository)).at(-1);
    if (!newest) throw new Error('nothing happened to the repository');
    await world.api.shown();
    await measureLanguages(services, newest);
  };
  const create = async (name: string) => {
    const repository = await world.create(name);
    await world.client.working(name);
    return repository;
  };
  const push = async (repository: TestRepository, files: Record<string, string>, ref = 'main') => {
    const hash = await world.client.commit(repository.name, files);
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), ref], { in: repository.name });
    return hash;
  };

  it('name the one with most bytes, and follow the default branch', async () => {
    const repository = await create('follows');
    expect(await language(repository)).to.equal('');
    await push(repository, { 'a.go': 'package a\n' });
    await measure(repository);
    expect(await language(repository)).to.equal('Go');
    await push(repository, { 'a.rs': 'fn main() {}\n'.repeat(9) });
    await measure(repository);
    expect(await language(repository)).to.equal('Rust');

    await world.client.git(['switch', '--quiet', '-c', 'other'], { in: repository.name });
    await push(repository, { 'a.c': 'int x;\n'.repeat(99) }, 'other');
    await measure(repository);
    expect(await language(repository)).to.equal('Rust');
    await world.owner.patch(place(repository), { default_branch: 'other' });
    await measure(repository);
    expect(await language(repository)).to.equal('C');
    expect(await measured(repository)).to.have.lengthOf(3);
  });

  it('are those of its base in a new fork, until it is measured', async () => {
    const repository = await create('lagging');
    await push(repository, { 'a.go': 'package a\n' });
    await measure(repository);
    await push(repository, { 'a.rs': 'fn main() {}\n'.repeat(9) });
    await world.api.shown();
    const answer = await world.reader.post(`${place(repository)}/forks`);
    expect(answer.status, answer.text).to.equal(202);
    const { id, language: first } = answer.json as { id: number; language: string };
    expect(first).to.equal('Go');
    const fork = { ...repository, id, owner: 'reader' };
    await measure(fork);
    expect(await language(fork)).to.equal('Rust');
    expect(await measured(fork)).to.deep.equal([{ Go: 10 }, { Go: 10, Rust: 117 }]);
  });

  it('are recorded once for the same languages, whatever else changes', async () => {
    const repository = await create('once');
    await push(repository, { 'a.go': 'package a\n' });
    for (let time = 0; time < 3; time++) await measure(repository);
    await push(repository, { 'README.md': 'It says more.\n' });
    await measure(repository);
    expect(await measured(repository)).to.deep.equal([{ Go: 10 }]);
  });

  it('are what the read model says of the measured commit, and told anew for another', async () => {
    const repository = await create('answers');
    const commit = await push(repository, { 'a.go': 'package a\n', 'a.c': 'int x;\n' });
    const at = new Date().toISOString();
    const data = { commit, languages: { C: 1, Rust: 2 }, at };
    await services.commands.handle(
      RepositoryLanguages,
      repository.id,
      { type: 'RecordLanguages', data },
      { commandId: randomUUID(), at },
    );
    await world.api.shown();
    const ask = async () => (await world.owner.get(`${place(repository)}/languages`)).text;
    expect(await ask()).to.equal('{"Rust":2,"C":1}');
    await push(repository, { 'a.c': 'int x, y, z;\n' });
    expect(await ask()).to.equal('{"C":13,"Go":10}');
  });

  it('are those of a fork as well', async () => {
    const repository = await create('base');
    await push(repository, { 'a.go': 'package a\n' });
    const { json } = await world.reader.post(`${place(repository)}/forks`, { name: 'forked' });
    const fork = { id: (json as { id: number }).id, owner: 'reader', name: 'forked' };
    await measure(fork);
    expect(await language(fork)).to.equal('Go');
  });

  it('leave a deleted repository alone', async () => {
    const repository = await create('gone');
    await push(repository, { 'a.go': 'package a\n' });
    await world.owner.delete(place(repository));
    await measure(repository);
    expect(await measured(repository)).to.deep.equal([]);
  });

  it('are the same in read models that are built anew', async () => {
    const repository = await create('rebuilt');
    await push(repository, { 'a.go': 'package a\n' });
    await measure(repository);
    await world.api.shown();
    const live = await rowsOf(world.api, [repositories]);
    await buildAnew(world.api, [repositories]);
    expect(await rowsOf(world.api, [repositories])).to.deep.equal(live);
    expect(await language(repository)).to.equal('Go');
  });

  it('follow the log from where they stopped, through whatever cannot be measured', async () => {
    const [repository, damaged] = [await create('followed'), await create('damaged')];
    await push(damaged, { 'a.go': 'package a\n' });
    await push(repository, { 'a.rs': 'fn main() {}\n' });
    await world.api.shown();
    const stop = new AbortController();
    const { log } = world.api.connections;
    const git: MeasureServices['git'] = {
      files: (id, ...rest) =>
        id === damaged.id ? Promise.reject(new Error('damaged')) : world.disk.files(id, ...rest),
    };
    const following = followLanguages(
      {
        database: { url: world.api.databaseUrl, applicationName: 'test' },
        log,
        logger: silent,
        reached: () => Promise.resolve(true),
        services: { ...services, git },
      },
      stop.signal,
    );
    await until(async () => (await language(repository)) === 'Rust');
    stop.abort();
    await following;
    expect(await measured(damaged)).to.deep.equal([]);
  });
});
