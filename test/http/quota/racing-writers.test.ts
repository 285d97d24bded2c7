import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import { PASSWORD, type TestUser } from '../../support/api.js';
import type { RunningApi } from '../../support/running-api.js';
import type { Client, TestAnswer } from '../../support/client.js';
import { gitWorld, type GitWorld } from '../../git-http/world.js';

const WRITERS = 64;
/** How many writers there is room for. */
const FITTING = 21;

const SOMEBODY = { name: 'Somebody', email: 'somebody@example.org' };
const AT = '2026-01-31T12:00:00Z';
/** Gives one and the same commit wherever it is the first one. */
const FIRST_FILE = {
  content: Buffer.from('room for so and so many of these').toString('base64'),
  message: 'first',
  author: SOMEBODY,
  committer: SOMEBODY,
  dates: { author: AT, committer: AT },
};

const fork = (owner: Client, writer: number) => owner.post(`/repos/owner/base-${writer}/forks`, {});

/** One kind of write: what a writer does, of whom each stores as many bytes as every other one. */
interface Kind {
  readonly what: string;
  /** Whether the size is not known when it is decided: the last one that passes may store more than is left. */
  readonly sizeUnknown?: true;
  /** Done before the room is measured out. */
  readonly prepare?: (owner: TestUser, writer: number) => Promise<unknown>;
  readonly write: (owner: Client, writer: number, username: string) => Promise<TestAnswer>;
}

describe('64 writers that race for the last room', () => {
  let world: GitWorld;
  let other: RunningApi;
  let names = 0;

  before(async () => {
    world = await gitWorld();
    other = await world.api.another({ config: { dataDir: world.dataDir } });
    await forEachWriter(async (writer) => {
      const base = { name: `base-${writer}` };
      expect((await world.owner.post('/user/repos', base)).status).to.equal(201);
      const path = `/repos/owner/base-${writer}/contents/file`;
      expect((await world.owner.post(path, FIRST_FILE)).status).to.equal(201);
    });
  });
  after(() => world.stop());

  const KINDS: readonly Kind[] = [
    {
      what: 'new repositories',
      sizeUnknown: true,
      write: (owner, writer) => owner.post('/user/repos', { name: `new-${writer}` }),
    },
    {
      what: 'forks',
      write: fork,
    },
    {
      what: 'files written by the API',
      prepare: (owner, writer) => owner.post('/user/repos', { name: `empty-${writer}` }),
      write: (owner, writer, username) =>
        owner.post(`/repos/${username}/empty-${writer}/contents/file`, FIRST_FILE),
    },
    {
      what: 'branches made by the API',
      sizeUnknown: true,
      prepare: fork,
      write: (owner, writer, username) =>
        owner.post(`/repos/${username}/base-${writer}/branches`, { new_branch_name: 'topic' }),
    },
    {
      what: 'tags made by the API',
      sizeUnknown: true,
      prepare: fork,
      write: (owner, writer, username) =>
        owner.post(`/repos/${username}/base-${writer}/tags`, { tag_name: 'v1' }),
    },
  ];

  for (const { what, sizeUnknown, prepare, write } of KINDS)
    it(`${what}: to the byte as many pass as there is room for, and one less where it is missing`, async () => {
      const alone = await newOwner();
      await prepare?.(alone, 0);
      const before = await used(alone);
      expect((await write(alone, 0, alone.username)).status).to.be.below(300);
      const each = (await used(alone)) - before;
      expect(each > 0n).to.equal(true);

      const rounds: readonly (readonly [missing: bigint, fitting: number])[] = sizeUnknown
        ? [
            [each - 1n, FITTING],
            [each, FITTING - 1],
          ]
        : [
            [0n, FITTING],
            [1n, FITTING - 1],
          ];
      for (const [missing, fitting] of rounds) {
        const owner = await newOwner();
        if (prepare) await forEachWriter((writer) => prepare(owner, writer));
        const full = await used(owner);
        const limit = full + BigInt(FITTING) * each - missing;
        await limitTo(limit, owner);
        const clients = [owner, other.as({ username: owner.username, password: PASSWORD })];
        const answers = await forEachWriter((writer) =>
          write(clients[writer % 2] ?? owner, writer, owner.username),
        );
        const refusals = answers.filter(({ status }) => status === 413);
        const passed = answers.filter(({ status }) => status < 300);
        const others = answers.filter((answer) => !refusals.includes(answer) && !passed.includes(answer));
        expect(others.map(({ status, text }) => `${status} ${text}`)).to.deep.equal([]);
        expect(passed).to.have.length(fitting);
        expect(await used(owner)).to.equal(full + BigInt(fitting) * each);
        expect((await ledgerOf(owner)).reservations.size).to.equal(0);
        expect(await onDisk(owner)).to.equal(await used(owner));
      }
    });

  const newOwner = () => world.api.createUser(`racer${(names += 1)}`);

  const forEachWriter = <T>(work: (writer: number) => Promise<T>) =>
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));

  async function limitTo(bytes: bigint, owner: TestUser): Promise<void> {
    const name = `room-${owner.username}`;
    const group = { name, rules: [{ name, limit: Number(bytes), subjects: ['size:all'] }] };
    expect((await world.api.admin.post('/admin/quota/groups', group)).status).to.equal(201);
    const { status } = await world.api.admin.put(`/admin/quota/groups/${name}/users/${owner.username}`);
    expect(status).to.equal(204);
  }

  const ledgerOf = async ({ id }: TestUser) =>
    (await new CommandHandler({ log: world.api.connections.log }).load(StorageLedger, id)).state;
  const used = async (owner: TestUser) => {
    const { usage } = await ledgerOf(owner);
    return usage['size:repos:public'] + usage['size:repos:private'];
  };
  const onDisk = async (owner: TestUser) => {
    const pages = await Promise.all([1, 2].map((page) => owner.get(`/user/repos?limit=50&page=${page}`)));
    const all = pages.flatMap(({ json }) => json as { id: number }[]);
    const sizes = await Promise.all(all.map(({ id }) => world.disk.sizeOf(id)));
    return sizes.reduce((sum, size) => sum + size, 0n);
  };
});
