import { expect } from 'chai';
import { projections } from '../../projections/registry.js';
import { schemaOf } from '../../projections/projection.js';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Database } from '../../src/database/database.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import {
  IssueReferences,
  MAX_REQUESTS,
  type ReferenceServices,
  type RefsUpdated,
} from '../../src/issue-references/issue-references.js';
import { followReferences } from '../../src/issue-references/reference-follower.js';
import { gitWorld, type GitWorld, type TestRepository } from '../git-http/world.js';
import { silent } from '../projections/engine/silent.js';
import type { TestUser } from '../support/api.js';
import { until } from '../support/process.js';

interface Issue {
  readonly number: number;
  readonly state: string;
  readonly closed_at: string | null;
  readonly updated_at: string;
}

describe('issues that commits close', () => {
  let world: GitWorld;
  let db: Database;
  let references: IssueReferences;
  let services: ReferenceServices;
  let writer: TestUser;

  before(async () => {
    world = await gitWorld();
    writer = await world.api.createUser('writer');
    const url = world.api.databaseUrl;
    db = new Database({ url, applicationName: 'test', searchPath: [...projections.map(schemaOf), 'public'] });
    const { log } = world.api.connections;
    services = {
      db,
      log,
      commands: new CommandHandler({ log }),
      git: world.disk,
      commitCache: new CommitCache(db),
      config: { baseUrl: 'https://forge.example.org' },
    };
    references = new IssueReferences(services);
  });
  after(async () => {
    await db.close();
    await world.stop();
  });

  const path = ({ owner, name }: TestRepository) => `/repos/${owner}/${name}`;
  const open = async (repository: TestRepository, by = world.owner, fields: object = {}): Promise<number> => {
    const { status, json, text } = await by.post(`${path(repository)}/issues`, {
      title: 'It fails',
      ...fields,
    });
    expect(status, text).to.equal(201);
    return (json as Issue).number;
  };
  const issue = async (repository: TestRepository, number: number): Promise<Issue> =>
    (await world.owner.get(`${path(repository)}/issues/${String(number)}`)).json as Issue;
  const state = async (repository: TestRepository, number: number) => (await issue(repository, number)).state;
  const edit = async (repository: TestRepository, number: number, fields: object) => {
    const { status, text } = await world.owner.patch(`${path(repository)}/issues/${String(number)}`, fields);
    expect(status, text).to.equal(201);
  };
  const collaborates = async (repository: TestRepository, user: TestUser, permission: string) => {
    const { status } = await world.owner.put(`${path(repository)}/collaborators/${user.username}`, {
      permission,
    });
    expect(status).to.equal(204);
  };

  const pushesOf = async ({ id }: TestRepository): Promise<RefsUpdated[]> => {
    const events = await world.api.connections.log.readStream(`repository-${String(id)}`);
    return (events as DomainEvent[]).filter((event): event is RefsUpdated => event.type === 'RefsUpdated');
  };
  /** Hands the last push to the references, as the follower does. */
  const follow = async (repository: TestRepository) => {
    await world.api.shown();
    const push = (await pushesOf(repository)).at(-1);
    if (!push) throw new Error('nothing was pushed');
    await references.handle(push);
    await world.api.shown();
  };

  /** A repository with a first commit, and a working copy of the same name. */
  const create = async (name: string, options: { readonly isPrivate?: boolean } = {}) => {
    const repository = await world.create(name, options);
    await world.client.working(name);
    await push(repository);
    return repository;
  };
  const push = (repository: TestRepository, ref = 'main', by = 'owner') =>
    world.client.git(['push', '--quiet', world.url(repository, by), ref], { in: repository.name });
  /** Commits, pushes, and has the references followed. */
  const pushed = async (repository: TestRepository, message: string, by = 'owner') => {
    const hash = await world.client.commit(repository.name, {}, message);
    await push(repository, 'main', by);
    await follow(repository);
    return hash;
  };

  it('close and reopen when they reach the default branch, in the name of the pusher', async () => {
    const repository = await create('close');
    const number = await open(repository);
    const hash = await pushed(repository, `Mend it\n\nFixes #${String(number)}.`);
    expect(await issue(repository, number)).to.include({ state: 'closed' });
    const [, closed] = await world.api.connections.log.readStream(
      `issue-${String(repository.id)}-${String(number)}`,
    );
    expect(closed).to.deep.include({ type: 'IssueClosed' });
    expect(closed?.data).to.include({ commitId: hash });
    expect(closed?.metadata.actor).to.deep.equal({ id: world.owner.id, name: 'owner' });
    await pushed(repository, `reopens #${String(number)}`);
    expect(await issue(repository, number)).to.include({ state: 'open', closed_at: null });
    await pushed(repository, `see #${String(number)}`);
    expect(await state(repository, number)).to.equal('open');
    const { owner, name } = repository;
    await pushed(repository, `closes https://forge.example.org/${owner}/${name}/issues/${String(number)}`);
    expect(await state(repository, number)).to.equal('closed');
  });

  it('do nothing twice', async () => {
    const repository = await create('twice');
    const number = await open(repository);
    await pushed(repository, `closes #${String(number)}`);
    await edit(repository, number, { state: 'open' });
    await follow(repository);
    expect(await state(repository, number)).to.equal('open');
  });

  it('are closed when that is done, which may be long after the push and after other changes', async () => {
    const repository = await create('late');
    const number = await open(repository);
    await world.client.commit(repository.name, {}, `closes #${String(number)}`);
    await push(repository);
    await world.api.shown();
    const [late] = (await pushesOf(repository)).slice(-1);
    if (!late) throw new Error('nothing was pushed');
    const before = (await issue(repository, number)).updated_at;
    await references.handle({ ...late, data: { ...late.data, updatedAt: '2020-01-01T00:00:00.000Z' } });
    await world.api.shown();
    const { closed_at, updated_at } = await issue(repository, number);
    expect(closed_at).to.equal(updated_at);
    expect(Date.parse(updated_at)).to.be.at.least(Date.parse(before));
  });

  it('count in their order, however many one push brings', async () => {
    const repository = await create('many');
    const [first, second] = [await open(repository), await open(repository)];
    const messages = [`closes #${String(first)} closes #${String(second)}`, `reopens #${String(second)}`];
    for (const message of messages) await world.client.commit(repository.name, {}, message);
    for (let count = 0; count < 25; count++) await world.client.commit(repository.name, {}, 'more');
    await push(repository);
    await follow(repository);
    expect([await state(repository, first), await state(repository, second)]).to.deep.equal([
      'closed',
      'open',
    ]);
  });

  it('count on a new branch too, however many it begins with, but not those that it branched off from', async () => {
    const repository = await world.create('new-branch');
    const { name } = repository;
    const add = async (message: string) => {
      await world.client.commit(name, {}, message);
      for (let count = 0; count < 25; count++) await world.client.commit(name, {}, 'more');
    };
    const first = await open(repository);
    await world.client.working(name);
    await add(`closes #${String(first)}`);
    await push(repository);
    await follow(repository);
    expect(await state(repository, first)).to.equal('closed');

    await edit(repository, first, { state: 'open', ref: 'topic' });
    const second = await open(repository, world.owner, { ref: 'topic' });
    await world.client.git(['switch', '--quiet', '-c', 'topic'], { in: name });
    await add(`closes #${String(second)}`);
    await push(repository, 'topic');
    await follow(repository);
    expect([await state(repository, first), await state(repository, second)]).to.deep.equal([
      'open',
      'closed',
    ]);
  });

  it('count in a first push of more branches than events tell the commits of', async () => {
    const repository = await world.create('wide');
    const number = await open(repository);
    await world.client.working('wide');
    await world.client.commit('wide', {}, `closes #${String(number)}`);
    const branches = Array.from({ length: 101 }, (_, index) => `main:refs/heads/b${index}`);
    const url = world.url(repository, 'owner');
    await world.client.git(['push', '--quiet', url, 'main', ...branches], { in: 'wide' });
    await follow(repository);
    expect(await state(repository, number)).to.equal('closed');
  });

  it('are the first of very many that one push refers to, on however many branches', async () => {
    const repository = await create('very-many');
    const number = await open(repository);
    const told = await pushed(repository, `mentions #${String(number)}`);
    const [push] = (await pushesOf(repository)).slice(-1);
    const [update] = push?.data.updates ?? [];
    const [commit] = await services.git.commits(repository.id, [told]);
    if (!push || !update || !commit) throw new Error('nothing was pushed');
    const elsewhere = Array.from({ length: 100 }, (_, nth) => `closes no/where#${String(nth + 1)}`).join(' ');
    const commits = (_id: number, hashes: readonly string[]) =>
      Promise.resolve(
        hashes.map((hash) => {
          const message = hash === told ? `closes #${String(number)}` : elsewhere;
          return { ...commit, hash, message };
        }),
      );
    const after = async (requests: number) => {
      const others = Array.from({ length: requests / 100 }, (_, nth) => String(nth).padStart(40, 'a'));
      const other = { ...update, ref: 'refs/heads/other', commits: others, commitCount: others.length };
      const data = { ...push.data, updates: [other, update] };
      const commitCache = { find: () => Promise.resolve(new Map()), keep: () => Promise.resolve() };
      await new IssueReferences({
        ...services,
        git: { ...services.git, commits },
        commitCache: commitCache as unknown as CommitCache,
      }).handle({ ...push, data });
      await world.api.shown();
      return state(repository, number);
    };
    expect(await after(MAX_REQUESTS)).to.equal('open');
    expect(await after(MAX_REQUESTS - 100)).to.equal('closed');
  });

  it('wait for the default branch, or for the branch that the issue names', async () => {
    const repository = await create('branches');
    const [plain, bound] = [await open(repository), await open(repository, world.owner, { ref: 'topic' })];
    await world.client.git(['switch', '--quiet', '-c', 'topic'], { in: repository.name });
    await world.client.commit(repository.name, {}, `fixes #${String(plain)}, fixes #${String(bound)}`);
    await push(repository, 'topic');
    await follow(repository);
    expect([await state(repository, plain), await state(repository, bound)]).to.deep.equal([
      'open',
      'closed',
    ]);
    await edit(repository, bound, { state: 'open' });
    await push(repository, 'topic:main');
    await follow(repository);
    expect([await state(repository, plain), await state(repository, bound)]).to.deep.equal([
      'closed',
      'open',
    ]);
  });

  it('reach other repositories, for those who may write issues there or opened them', async () => {
    const [here, there] = [await create('here'), await create('there')];
    const hidden = await create('hidden', { isPrivate: true });
    await collaborates(here, writer, 'write');
    const own = await open(there, writer);
    const [others, secret] = [await open(there), await open(hidden)];
    const message = [own, others].map((number) => `closes OWNER/There#${String(number)}`).join(' ');
    await pushed(here, `${message} closes owner/hidden#${String(secret)} closes owner/nothing#1`, 'writer');
    expect([await state(there, own), await state(there, others)]).to.deep.equal(['closed', 'open']);
    expect(await state(hidden, secret)).to.equal('open');
    await collaborates(there, writer, 'write');
    await pushed(here, message, 'writer');
    expect(await state(there, others)).to.equal('closed');
  });

  it('stay as they are in private repositories, where a token that reaches only what is public pushed', async () => {
    const [here, there] = [await create('in-public'), await create('also-public')];
    const hidden = await create('out-of-reach', { isPrivate: true });
    const [own, others, secret] = [await open(here), await open(there), await open(hidden)];
    const message = `closes #${String(own)}, closes owner/also-public#${String(others)}, closes owner/out-of-reach#${String(secret)}`;
    const narrow = await world.api.createToken('owner', 'public-only', 'write:repository');
    const states = async () => [
      await state(here, own),
      await state(there, others),
      await state(hidden, secret),
    ];
    await pushed(here, message, `owner:${narrow.token}`);
    expect(await states()).to.deep.equal(['closed', 'closed', 'open']);

    const committed = async (by: Pick<TestUser, 'post'>, file: string) => {
      const content = { content: 'eA==', message: `closes owner/out-of-reach#${String(secret)}` };
      expect((await by.post(`${path(here)}/contents/${file}`, content)).status).to.equal(201);
      await follow(here);
      return state(hidden, secret);
    };
    expect(await committed(narrow, 'by-token')).to.equal('open');
    expect(await committed(world.owner, 'by-password')).to.equal('closed');
  });

  it('are left alone by the commits that a fork begins with, because nobody pushed them', async () => {
    const repository = await create('forked');
    const number = await open(repository);
    await collaborates(repository, writer, 'write');
    await pushed(repository, `closes owner/forked#${String(number)}`);
    expect(await state(repository, number)).to.equal('closed');
    await edit(repository, number, { state: 'open' });
    const { status, json } = await writer.post(`${path(repository)}/forks`, {});
    expect(status).to.equal(202);
    await follow({ ...repository, id: (json as { id: number }).id });
    expect(await state(repository, number)).to.equal('open');
  });

  it('leave alone what is not there, archived, or opened later', async () => {
    const [repository, archived] = [await create('absent'), await create('archived')];
    const number = await open(archived);
    expect((await world.owner.patch(path(archived), { archived: true })).status).to.equal(200);
    await pushed(repository, `closes #1, closes #99, closes owner/archived#${String(number)}`);
    expect(await state(archived, number)).to.equal('open');
    const later = await open(repository);
    expect(later).to.equal(1);
    await follow(repository);
    expect(await state(repository, later)).to.equal('open');
  });

  it('are closed by whoever follows the log, and by the next one where that stopped', async () => {
    const repository = await create('followed');
    const [first, second] = [await open(repository), await open(repository)];
    const run = () => {
      const stop = new AbortController();
      const options = {
        database: { url: world.api.databaseUrl, applicationName: 'test-follower' },
        log: world.api.connections.log,
        reached: async () => {
          await world.api.shown();
          return true;
        },
        references,
        logger: silent,
      };
      const running = followReferences(options, stop.signal);
      return async () => {
        stop.abort();
        await running;
      };
    };
    const closed = (number: number) => async () => (await state(repository, number)) === 'closed';
    const stop = run();
    await world.client.commit(repository.name, {}, `closes #${String(first)}`);
    await push(repository);
    await until(closed(first));
    await stop();
    await edit(repository, first, { state: 'open' });
    await world.client.commit(repository.name, {}, `closes #${String(second)}`);
    await push(repository);
    const stopNext = run();
    await until(closed(second));
    await stopNext();
    expect(await state(repository, first)).to.equal('open');
  });
});
