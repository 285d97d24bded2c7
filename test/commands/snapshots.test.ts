import { expect } from 'chai';
import fc from 'fast-check';
import { isCollection, isKeyed } from 'immutable';
import { v4 } from 'uuid';
import { CommandHandler } from '../../src/commands/handle.js';
import type { SnapshotOptions } from '../../src/commands/snapshots.js';
import type { Decider, Message } from '../../src/domain/decider.js';
import { DomainError } from '../../src/domain/errors.js';
import { IdBlock } from '../../src/domain/ids/id-block.js';
import { Organization } from '../../src/domain/organizations/organization.js';
import { QuotaCatalogue } from '../../src/domain/quota/quota-catalogue.js';
import { QuotaMembership } from '../../src/domain/quota/quota-membership.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { CommitStatuses } from '../../src/domain/repositories/commit-statuses.js';
import { RepositoryLanguages } from '../../src/domain/repositories/languages.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import { RepositoryName } from '../../src/domain/claims/claim.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { eventTypes } from '../../src/event-log/event-types.js';
import { personalFields } from '../../src/event-log/personal-fields.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { migrate } from '../../src/migrate/migrate.js';
import { Database } from '../../src/database/database.js';
import { SnapshotTable, type KeptSnapshot } from '../../src/snapshots/snapshot-table.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { testDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';

const at = '2026-01-01T00:00:00Z';

/** The commands of each aggregate, among few names so that they meet. */
const small = fc.integer({ min: 1, max: 4 });
const name = small.map((number) => `name${number}`);
const digits = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const rule = fc.record({ id: small, name, limit: digits, subjects: fc.constant(['size:all']) });
const subject = fc.constantFrom('size:repos:public', 'size:git:lfs');

type Commands = readonly Message[];
const quotaCatalogue = commands(
  ['CreateQuotaRule', rule],
  ['EditQuotaRule', fc.record({ name, limit: digits })],
  ['DeleteQuotaRule', fc.record({ name })],
  ['CreateQuotaGroup', fc.record({ id: small, name, rules: fc.array(rule, { maxLength: 2 }) })],
  ['DeleteQuotaGroup', fc.record({ name })],
  ['AddRuleToQuotaGroup', fc.record({ group: name, rule: name })],
  ['RemoveRuleFromQuotaGroup', fc.record({ group: name, rule: name })],
  ['RecordQuotaDefaults', fc.record({ groups: fc.array(name), total: digits })],
);
const organization = commands(
  ['FoundOrganization', fc.record({ creatorId: small, ownersTeamId: fc.constant(1) })],
  [
    'CreateTeam',
    fc.record({
      teamId: small,
      team: name.map((of) => ({ name: of, permission: 'read', units: ['repo.code'] })),
    }),
  ],
  ['DeleteTeam', fc.record({ teamId: small })],
  ['AddTeamMember', fc.record({ teamId: small, accountId: small })],
  ['RemoveTeamMember', fc.record({ teamId: small, accountId: small })],
  ['AddTeamRepositories', fc.record({ teamId: small, repositoryIds: fc.array(small) })],
  ['PublicizeMembership', fc.record({ accountId: small })],
  ['RemoveMember', fc.record({ accountId: small })],
);
const groups = fc.constant([{ name: 'some', rules: [{ name: 'few', limit: 100n, subjects: ['size:all'] }] }]);
const storageLedger = commands(
  ['RecordUsage', fc.record({ objectId: name, subject, bytes: digits, groups })],
  ['MoveUsage', fc.record({ objectId: name, from: subject, to: subject, groups })],
  ['ForgetObject', fc.record({ objectId: name, groups })],
  ['SettleReservation', fc.record({ reservationId: name, objectId: name, subject, bytes: digits, groups })],
  ['ReserveStorage', reservation()],
  ['ReleaseReservation', fc.record({ reservationId: name })],
);
const hash = fc.constantFrom('a'.repeat(40), 'b'.repeat(40), null);
const ref = fc.constantFrom('refs/heads/main', 'refs/heads/topic', 'refs/tags/v1');
const update = fc.record({ ref, before: hash, after: hash, committedAt: fc.constant(at) });
const settings = fc.record({
  description: name,
  website: fc.constant(null),
  units: fc.constant(['repo.code']),
  externalTracker: fc.constantFrom(null, { url: 'u', format: 'f', style: 's', regexpPattern: '' }),
});
const create: Kind = [
  'CreateRepository',
  fc.record({
    ownerId: small,
    creatorId: small,
    name,
    isPrivate: fc.boolean(),
    settings: fc.constant(defaultSettings),
    baseId: fc.constantFrom(undefined, 7),
    mirror: fc.constantFrom(undefined, { intervalSeconds: 600, prune: true }),
    refs: fc.constant({ pushId: 'p', updates: [] }),
    createdAt: fc.constant(at),
  }),
];
const repositoryCommands = commands(
  create,
  ['UpdateRefs', fc.record({ pusherId: small, pushId: name, updates: fc.array(update, { maxLength: 2 }) })],
  ['EditRepository', fc.record({ settings, isPrivate: fc.boolean() })],
  ['AddCollaborator', fc.record({ accountId: small, permission: fc.constantFrom('read', 'admin') })],
  ['RemoveCollaborator', fc.record({ accountId: small })],
  ['ReplaceTopics', fc.record({ topics: fc.array(name) })],
  ['AddDeployKey', fc.record({ keyId: small, title: name, fingerprint: name, isOfUser: fc.constant(false) })],
  ['RemoveDeployKey', fc.record({ keyId: small })],
  ['AddBranchProtection', fc.record({ ruleName: name, changes: fc.constant({ enablePush: true }) })],
  ['RemoveBranchProtection', fc.record({ ruleName: name })],
  [
    'RequestTransfer',
    fc.record({ ownerId: small, requesterId: small, recipientId: small, teamIds: fc.array(small) }),
  ],
  [
    'Transfer',
    fc.record({ ownerId: small, recipientId: small, teamIds: fc.array(small), name, claimsLost: small }),
  ],
  ['RejectTransfer', fc.record({ recipientId: small })],
);
/** One that was never created refuses all the rest. */
const repository = fc
  .tuple(commands(create), repositoryCommands)
  .map(([[created], further]) => (created ? [created, ...further] : further));
const languages = commands([
  'RecordLanguages',
  fc.record({
    commit: name,
    languages: fc.dictionary(fc.constantFrom('C', 'Go', 'Rust'), small, { noNullPrototype: true }),
  }),
]);

const group = name.map((of) => ({ id: Number(of.slice(-1)), name: of }));
const quotaMembership = commands(
  ['AddToQuotaGroup', fc.record({ group })],
  ['RemoveFromQuotaGroup', fc.record({ group })],
  ['SetQuotaGroups', fc.record({ groups: fc.array(group) })],
  ['LeaveQuotaGroups', fc.record({ existingIds: fc.array(small) })],
);
const claim = fc.record({ claimantId: small, claimId: name });
const repositoryName = commands(
  ['Claim', claim],
  ['TakeOverClaim', fc.tuple(claim, claim).map(([from, to]) => ({ from, ...to }))],
  ['ReleaseClaim', claim],
);
const ids = commands(['ReserveIdBlock', fc.record({ kind: fc.constant('issue'), size: small })]);
const commitStatuses = commands([
  'ReportCommitStatus',
  fc.record({ repositoryId: small, sha: fc.constant('a'.repeat(40)), state: fc.constant('success') }),
]);

const aggregates = [
  [QuotaCatalogue, quotaCatalogue],
  [QuotaMembership, quotaMembership],
  [Organization, organization],
  [StorageLedger, storageLedger],
  [Repository, repository],
  [RepositoryLanguages, languages],
  [RepositoryName, repositoryName],
  [CommitStatuses, commitStatuses],
  [IdBlock, ids],
] as const;

type Kind = readonly [string, fc.Arbitrary<object>];

function commands(...kinds: readonly Kind[]): fc.Arbitrary<Commands> {
  const one = fc.oneof(
    ...kinds.map(([type, data]) => data.map((facts) => ({ type, data: { ...facts, at } }))),
  );
  return fc.array(one, { minLength: 5, maxLength: 40 });
}

function reservation(): fc.Arbitrary<object> {
  const account = { id: 1, name: 'ann' };
  const quota = {
    account,
    groups: [],
    catalogueRevision: 0,
    membershipRevision: 0,
    position: 0n,
    overdue: [],
  };
  const facts = { reservationId: name, objectId: name, subject, bytes: digits };
  return fc.record({ ...facts, expiresAt: fc.constant(at), quota: fc.constant(quota) });
}

/** A state without the order that its maps happen to have. */
function comparable(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (isCollection(value)) {
    const items = isKeyed(value) ? [...value.entries()] : [...value];
    return items.map(comparable).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, comparable(item)]));
}

describe('snapshots of aggregates', () => {
  let scratch: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  let table: SnapshotTable;
  let store: MemoryEventStore;
  let log: EventLog;
  const errors: unknown[] = [];

  before(async () => {
    scratch = await testDatabase();
    await migrate(scratch.url, ['cache']);
    db = new Database({ url: scratch.url, applicationName: 'test' });
    table = new SnapshotTable(db);
  });
  after(async () => {
    await db.close();
    await scratch.drop();
  });
  beforeEach(async () => {
    errors.length = 0;
    await begin();
  });

  /** Nothing in the log, and nothing kept. */
  async function begin(): Promise<void> {
    await db.rows('delete from cache.snapshots');
    store = new MemoryEventStore();
    log = new EventLog({ store, people: new TestPeople() });
  }
  const onError = (error: unknown) => errors.push(error);
  const process = (every = 3) => new CommandHandler({ log, snapshots: { table, every, onError } });
  const stateOf = (handler: CommandHandler, decider: Parameters<CommandHandler['load']>[0]) =>
    handler.load(decider, 'main').then(({ state, ...place }) => ({ ...place, state: comparable(state) }));
  const kept = () =>
    db.rows<{ revision: number; version: number; state: unknown }>('select * from cache.snapshots');
  const record = (handler: CommandHandler, ...bytes: readonly number[]) =>
    bytes.reduce(
      (before, each) =>
        before.then(() =>
          run(handler, StorageLedger, {
            type: 'RecordUsage',
            data: {
              objectId: `object ${each}`,
              subject: 'size:git:lfs',
              bytes: String(each),
              groups: [],
              at,
            },
          }),
        ),
      Promise.resolve(),
    );

  async function run<State>(
    handler: CommandHandler,
    decider: Decider<never, Message, State>,
    command: Message,
  ): Promise<void> {
    try {
      await handler.handle(decider, 'main', command as never, { commandId: v4(), at });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  for (const [decider, commandsOf] of aggregates) {
    it(`change nothing about ${decider.category}: state with one is state without`, async () => {
      let used = 0;
      const inMemory = (): SnapshotOptions['table'] => {
        const rows = new Map<string, KeptSnapshot>();
        return {
          find(stream) {
            const row = rows.get(stream);
            if (row) used += 1;
            return Promise.resolve(row);
          },
          keep: (stream, row) => Promise.resolve(void rows.set(stream, row)),
          drop: (stream) => Promise.resolve(void rows.delete(stream)),
        };
      };
      await fc.assert(
        fc.asyncProperty(commandsOf, fc.integer({ min: 1, max: 7 }), async (given, every) => {
          await begin();
          const options = { table: inMemory(), every, onError };
          // Each in a process of its own, which finds what is there.
          for (const command of given)
            await run(new CommandHandler({ log, snapshots: options }), decider as never, command);
          const found = await stateOf(new CommandHandler({ log, snapshots: options }), decider);
          expect(found).to.deep.equal(await stateOf(new CommandHandler({ log }), decider));
        }),
        { numRuns: 25 },
      );
      expect(errors).to.deep.equal([]);
      expect(used).to.be.greaterThan(25);
    });

    it(`of ${decider.category} hold nothing that is personal`, () => {
      const types = Object.entries(eventTypes).filter(([, { categories }]) =>
        categories.includes(decider.category),
      );
      expect(types.map(([type]) => type).filter((type) => type in personalFields)).to.deep.equal([]);
    });
  }

  it('spare reading what they hold', async () => {
    await record(process(), 1, 2, 3, 4, 5);
    await until(async () => (await kept()).length > 0);
    const reads: (number | undefined)[] = [];
    const watched = new InterceptedStore(store, {});
    watched.readStream = (stream, options) => {
      reads.push(options?.from);
      return store.readStream(stream, options);
    };
    log = new EventLog({ store: watched, people: new TestPeople() });
    const { state, revision } = await process().load(StorageLedger, 'main');
    expect([revision, state.usage['size:git:lfs']]).to.deep.equal([4, 15n]);
    expect(reads).to.deep.equal([2, 3]);
  });

  it('are found once by a process, even if nothing was appended since they were taken', async () => {
    await record(process(), 1, 2, 3);
    await until(async () => (await kept()).length > 0);
    let found = 0;
    const watched: SnapshotOptions['table'] = {
      find: (stream) => ((found += 1), table.find(stream)),
      keep: (stream, snapshot) => table.keep(stream, snapshot),
      drop: (stream) => table.drop(stream),
    };
    const handler = new CommandHandler({ log, snapshots: { table: watched, every: 3, onError } });
    const first = await handler.load(StorageLedger, 'main');
    expect(first.revision).to.equal(2);
    expect(await handler.load(StorageLedger, 'main')).to.equal(first);
    expect(found).to.equal(1);
  });

  it('are taken once in so many events, and the newest is kept', async () => {
    const handler = process();
    await record(handler, 1, 2);
    expect(await kept()).to.deep.equal([]);
    for (const [bytes, revision] of [
      [[3], 2],
      [[4, 5, 6], 5],
    ] as const) {
      await record(handler, ...bytes);
      await until(async () => (await kept())[0]?.revision === revision);
    }
    const [old] = await kept();
    await table.keep('storageLedger-main', { version: 1, revision: 1, eventId: v4(), state: '{}' });
    expect(await kept()).to.deep.equal([old]);
  });

  it('are not made twice of what is too large to be kept', async () => {
    let written = 0;
    const large = {
      ...RepositoryLanguages,
      snapshot: {
        version: 1,
        write: () => ((written += 1), 'x'.repeat(9_000_000)),
        read: () => RepositoryLanguages.initialState,
      },
    };
    const handler = process(1);
    for (const size of [1, 2, 3]) {
      const data = { commit: 'c', languages: { C: size }, at };
      await run(handler, large, { type: 'RecordLanguages', data });
      await until(() => written === 1);
    }
    expect(await kept()).to.deep.equal([]);
  });

  it('of another form are not read', async () => {
    await record(process(), 1, 2, 3);
    await until(async () => (await kept()).length > 0);
    const [known] = await kept();
    await db.rows(`update cache.snapshots set version = version + 1, state = '{"of": "a later release"}'`);
    expect((await process().load(StorageLedger, 'main')).state.usage['size:git:lfs']).to.equal(6n);
    expect((await kept())[0]?.version).to.equal((known?.version ?? 0) + 1);
  });

  it('of a later form are replaced by none of an earlier one, whatever their revisions', async () => {
    const snapshot = (version: number, revision: number) => ({
      version,
      revision,
      eventId: v4(),
      state: '{}',
    });
    const later = snapshot(2, 500);
    for (const each of [snapshot(1, 1_000), later, snapshot(1, 1_500)]) await table.keep('a-1', each);
    expect(await table.find('a-1')).to.deep.equal(later);
  });

  it('of another log, or damaged, are thrown away', async () => {
    for (const damage of [`event_id = '${v4()}'`, 'revision = 900']) {
      await begin();
      await record(process(), 1, 2, 3);
      await until(async () => (await kept()).length > 0);
      await db.rows(`update cache.snapshots set ${damage}`);
      expect((await process(100).load(StorageLedger, 'main')).state.usage['size:git:lfs']).to.equal(6n);
      expect(await kept()).to.deep.equal([]);
    }
    expect(errors).to.deep.equal([]);
  });

  it('are dropped where nobody has asked for them in a month, and taken again', async () => {
    await record(process(), 1, 2, 3);
    await until(async () => (await kept()).length > 0);
    const month = () => db.rows('update cache.snapshots set used_on = used_on - 31');
    await month();
    await process(100).load(StorageLedger, 'main');
    expect(await table.removeUnused()).to.equal(0);
    await month();
    await db.transaction(async (another) => {
      await another.rows('select from cache.snapshots for update');
      expect(await table.removeUnused()).to.equal(0); // which waits for nobody
    });
    expect([await table.removeUnused(), await kept()]).to.deep.equal([1, []]);
    expect((await process().load(StorageLedger, 'main')).state.usage['size:git:lfs']).to.equal(6n);
    await until(async () => (await kept()).length > 0);
    const handler = process(); // which asks for it once
    for (const [bytes, revision] of [
      [[4, 5, 6], 5],
      [[7, 8, 9], 8],
    ] as const) {
      await month();
      await record(handler, ...bytes);
      await until(async () => (await kept())[0]?.revision === revision);
      expect(await table.removeUnused()).to.equal(0);
    }
  });

  it('are done without where the database is away', async () => {
    const away = () => Promise.reject(new Error('away'));
    const table = { find: away, keep: away, drop: away };
    const handler = new CommandHandler({ log, snapshots: { table, every: 3, onError } });
    await record(handler, 1, 2, 3, 4);
    expect((await handler.load(StorageLedger, 'main')).revision).to.equal(3);
    await until(() => errors.length === 2);
  });
});
