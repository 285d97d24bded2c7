import { expect } from 'chai';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
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

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-packs-'));
    log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    const refs = {
      pushId: 'push',
      updates: [{ ref: 'refs/heads/main', before: null, after: 'a'.repeat(40), committedAt: null }],
    };
    await new CommandHandler({ log }).handle(
      Repository,
      ID,
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
          refs,
          createdAt: at,
        },
      },
      { commandId: 'create', at },
    );
    files = await SummedFiles.in(folder);
    const git = {
      start: () => {
        const code = codes.shift() ?? 0;
        return Promise.resolve({
          stdin: new PassThrough().resume(),
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

  it('end the back-up where they cannot be written, which says nothing of a repository', async () => {
    codes = [0];
    await writeFile(join(folder, 'repositories'), 'in the way of the folder');
    expect(await rejection(pack())).to.have.property('code', 'ENOTDIR');
    expect(packs.unreadable).to.deep.equal([]);
  });
});
