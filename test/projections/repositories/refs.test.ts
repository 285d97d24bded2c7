import { expect } from 'chai';
import { Lane } from '../../../projections/engine/lane.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { schemaOf, type Columns, type Table } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import type { DomainEvent } from '../../../src/domain/domain-event.js';
import type { RefUpdate } from '../../../src/domain/repositories/repository-messages.js';
import { Repository, type RepositoryCommand } from '../../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../../src/domain/repositories/settings.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { silent } from '../engine/silent.js';
import { engineDatabase } from '../engine/support.js';
import { TestLog } from '../engine/test-log.js';

const AT = '2024-01-02T03:04:05Z';
const FIRST = '1'.repeat(40);
const SECOND = '2'.repeat(40);

describe('the read model of refs', () => {
  it('takes times of whatever offset, and none for what is no time', () => {
    const kept = [
      '2024-01-02T03:04:05+23:59',
      '2024-01-02T03:04:05-16:00',
      '2024-01-02T03:04:05+00:90',
      null,
    ];
    const updates = kept.map((committedAt, index) => {
      const after = '1'.repeat(40);
      return { ref: `refs/heads/${index}`, before: null, after, committedAt };
    });
    const rows: Columns[] = [];
    const nothing = () => undefined;
    const ignored: Table = {
      put: nothing,
      patch: nothing,
      add: nothing,
      remove: nothing,
      removeWhere: nothing,
    };
    const refs: Table = { ...ignored, put: (row) => rows.push(row) };
    const data = { updates, updatedAt: AT };
    const event = { type: 'RefsUpdated', streamId: '1', data } as unknown as DomainEvent;
    repositories.on.RefsUpdated?.(event, { repositories: ignored, branch_counts: ignored, refs });
    expect(rows.map(({ committed_at }) => committed_at)).to.deep.equal([
      '2024-01-01T03:05:05.000Z',
      '2024-01-02T19:04:05.000Z',
      null,
      null,
    ]);
  });

  for (const [how, eventsAtOnce] of [
    ['event by event', 1],
    ['all at once', 1_000],
  ] as const)
    it(`counts branches, also those that come before their repository, ${how}`, async () => {
      const engine = await engineDatabase([repositories], MIGRATIONS);
      try {
        const schema = schemaOf(repositories);
        const lane = new Lane(
          {
            database: engine.options,
            source: logOf(LIVES, eventsAtOnce),
            log: silent,
            notify: false,
            onFailure: ({ error }) => {
              throw error;
            },
          },
          [await ReadModel.open(engine.database, repositories, schema)],
          { position: -1n, recordedAt: new Date(0) },
        );
        await lane.run({ signal: new AbortController().signal, until: logOf(LIVES).last });
        const rows = await engine.database.rows(`
          select repository_id as id, branches, (select count(*) from ${schema}.refs r
            where r.repository_id = c.repository_id and kind = 'branch') as counted
          from ${schema}.branch_counts c order by 1`);
        expect(rows).to.deep.equal([
          { id: 1, branches: 4, counted: 4 },
          { id: 2, branches: 0, counted: 0 },
          { id: 3, branches: 1, counted: 1 },
        ]);
      } finally {
        await engine.drop();
      }
    });
});

const moved = (ref: string, before: string | null, after: string | null): RefUpdate => ({
  ref: `refs/${ref}`,
  before,
  after,
  committedAt: after && AT,
});
const made = (...refs: string[]) => refs.map((ref) => moved(ref, null, FIRST));
const fill = (...updates: RefUpdate[]): RepositoryCommand => ({
  type: 'FillRefs',
  data: { pushId: 'p', updates, at: AT },
});
const update = (...updates: RefUpdate[]): RepositoryCommand => ({
  type: 'UpdateRefs',
  data: { pusherId: null, pushId: 'p', updates, at: AT },
});
const create = (name: string, ...updates: RefUpdate[]): RepositoryCommand => ({
  type: 'CreateRepository',
  data: {
    creatorId: 1,
    ownerId: 1,
    name,
    isPrivate: false,
    objectFormat: 'sha1',
    trustModel: 'default',
    settings: defaultSettings,
    refs: { pushId: 'p', updates },
    createdAt: AT,
  },
});

/** What repositories were told, by id. */
const LIVES: Readonly<Record<string, readonly RepositoryCommand[]>> = {
  1: [
    fill(...made('heads/a', 'heads/b', 'tags/v1')),
    fill(...made('heads/c', 'changes/1')),
    create('filled', ...made('heads/main')),
    update(moved('heads/a', FIRST, SECOND), ...made('heads/d', 'tags/v2')),
    update(moved('heads/b', FIRST, null), moved('tags/v1', FIRST, null)),
  ],
  2: [create('emptied', ...made('heads/main')), update(moved('heads/main', FIRST, null))],
  3: [create('empty'), update(...made('heads/main'))],
  4: [fill(...made('heads/a')), { type: 'AbandonClaim', data: { holds: false, at: AT } }],
  5: [create('deleted', ...made('heads/a')), { type: 'DeleteRepository', data: { ownerId: 1, at: AT } }],
};

function logOf(lives: typeof LIVES, maxBatch?: number): TestLog {
  const log = new TestLog(maxBatch);
  for (const [streamId, commands] of Object.entries(lives)) {
    let state = Repository.initialState;
    let revision = 0;
    for (const command of commands)
      for (const event of Repository.decide(command, state)) {
        state = Repository.evolve(state, event);
        log.append(event);
        const last = log.events.pop();
        if (last) log.events.push({ ...last, streamId, revision: revision++ });
      }
  }
  return log;
}
