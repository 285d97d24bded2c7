import { expect } from 'chai';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { packName, RepositoryPacks } from '../../src/backup/packs.js';
import { readSums, SummedFiles, sumOf, SUMS } from '../../src/backup/summed-files.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import type { Git } from '../../src/git/git.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const ID = 7;
const at = '2026-01-01T00:00:00.000Z';

describe('the packs of a back-up', () => {
  let folder: string;
  let log: EventLog;
  let files: SummedFiles;
  let packs: RepositoryPacks;
  /** How git ends, each time that it is started: its exit code. */
  let codes: number[];
  /** What git was asked to pack. */
  let asked: string[];
  let commands: CommandHandler;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-packs-'));
    log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    commands = new CommandHandler({ log });
    await create(ID, 'a');
    asked = [];
    files = await SummedFiles.in(folder);
    const git = {
      exists: () => Promise.resolve(true),
      start: () => {
        const code = codes.shift() ?? 0;
        const stdin = new PassThrough();
        void text(stdin).then((revisions) => asked.push(revisions));
        return Promise.resolve({
          stdin,
          stdout: Readable.from([Buffer.from(`a pack that ends with ${code}`)]),
          ended: Promise.resolve({ code, stderr: code === 0 ? '' : 'bad object' }),
          kill: () => undefined,
        });
      },
    };
    packs = new RepositoryPacks({ log, git: git as unknown as Git, files });
  });
  afterEach(async () => {
    await files.close();
    await rm(folder, { recursive: true, force: true });
  });

  const hashOf = (letter: string) => letter.repeat(40);
  const updates = (before: string | null, after: string | null) => [
    { ref: 'refs/heads/main', before, after, committedAt: null },
  ];
  const create = (id: number, letter?: string) =>
    commands.handle(
      Repository,
      id,
      {
        type: 'CreateRepository',
        data: {
          ownerId: 1,
          creatorId: 1,
          name: 'one',
          isPrivate: false,
          objectFormat: 'sha1',
          trustModel: 'default',
          settings: defaultSettings,
          refs: { pushId: 'push', updates: letter ? updates(null, hashOf(letter)) : [] },
          createdAt: at,
        },
      },
      { commandId: `create ${id}`, at },
    );
  const push = (id: number, before: string | null, after: string) =>
    commands.handle(
      Repository,
      id,
      {
        type: 'UpdateRefs',
        data: { pusherId: 1, pushId: after, updates: updates(before && hashOf(before), hashOf(after)), at },
      },
      { commandId: `push ${after}`, at },
    );
  const remove = (id: number) =>
    commands.handle(
      Repository,
      id,
      { type: 'DeleteRepository', data: { ownerId: 1, at } },
      { commandId: `delete ${id}`, at },
    );

  const pack = async () => packs.bringTo([ID], await log.lastPosition());

  it('name and leave out what git cannot read', async () => {
    codes = [128];
    await pack();
    expect(packs.unreadable).to.deep.equal([{ id: ID, error: 'bad object' }]);
    expect(await readdir(join(folder, 'repositories', '07'))).to.deep.equal([]);
  });

  it('are summed as they are, where git could read at the second try', async () => {
    codes = [128, 0];
    await pack();
    await pack();
    expect(packs.unreadable).to.deep.equal([]);
    await files.finish();
    const sums: unknown[] = [];
    for await (const line of readSums(join(folder, SUMS))) sums.push(line);
    expect(sums).to.deep.equal([{ name: packName(ID, 0), sum: await sumOf(join(folder, packName(ID, 0))) }]);
  });

  it('hold in a later round what came since, of repositories that changed', async () => {
    const [changed, emptied, filled, deleted, late, odd] = [1, 2, 3, 4, 5, 6];
    for (const id of [changed, emptied, deleted]) await create(id, 'b');
    await create(filled);
    await create(odd, 'c');
    const first = await log.lastPosition();
    await packs.bringTo([ID, changed, emptied, filled, deleted, late], first);
    codes = [128];
    await packs.bringTo([odd], first);
    expect([packs.count, asked.length]).to.deep.equal([5, 5]);

    asked = [];
    await push(changed, 'b', 'd');
    await push(filled, null, 'e');
    await remove(deleted);
    await create(late, 'f');
    await packs.bringTo([changed, filled, deleted, late, odd], await log.lastPosition());
    expect(packs.count).to.equal(6);
    const line = (letter: string) => `${hashOf(letter)}\n`;
    expect(asked.sort()).to.deep.equal([line('c'), `${line('d')}^${line('b')}`, line('e'), line('f')]);

    asked = [];
    await push(changed, 'd', 'a');
    await remove(late);
    await packs.bringTo([changed, late], await log.lastPosition());
    expect(packs.count).to.equal(5);
    expect(asked).to.deep.equal([`${line('a')}^${line('d')}`]);
    const kept = await readdir(join(folder, 'repositories'), { recursive: true });
    expect(kept.filter((name) => name.endsWith('.pack')).sort()).to.deep.equal([
      ...['01/1.0.pack', '01/1.1.pack', '01/1.2.pack', '02/2.0.pack', '03/3.0.pack'],
      ...['06/6.0.pack', '07/7.0.pack'],
    ]);
  });

  it('end the back-up where they cannot be written, which says nothing of a repository', async () => {
    codes = [0];
    await writeFile(join(folder, 'repositories'), 'in the way of the folder');
    expect(await rejection(pack())).to.have.property('code', 'ENOTDIR');
    expect(packs.unreadable).to.deep.equal([]);
  });
});
