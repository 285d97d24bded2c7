import { expect } from 'chai';
import fc from 'fast-check';
import { flush } from '../../../projections/engine/flush.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { Session } from '../../../projections/engine/session.js';
import { issues } from '../../../projections/issues/issues.js';
import { schemaOf } from '../../../projections/projection.js';
import { Database } from '../../../src/database/database.js';
import type { Message } from '../../../src/domain/decider.js';
import { issueKey } from '../../../src/domain/issues/place.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { listIssues } from '../../../src/queries/issues/issue-lists.js';
import { listRepositoryLabels } from '../../../src/queries/issues/labels.js';
import { engineDatabase, type EngineDatabase } from '../engine/support.js';
import { TestLog } from '../engine/test-log.js';

const REPOSITORY = 7;
const LABELS = [1, 2, 11];
/** At both ends of the numbers that a row of a set tells of, and of the runs that these are cut into. */
const NUMBERS = [1, 31, 32, 2_047, 2_048, 4_096];

/** What an issue is told; what cannot happen to it does not. */
interface Step {
  readonly number: number;
  readonly does: 'open' | 'label' | 'close' | 'reopen' | 'delete' | 'delete label';
  readonly labelIds: readonly number[];
}

interface KnownIssue {
  labelIds: readonly number[];
  isClosed: boolean;
  isDeleted: boolean;
}

const steps = fc.array(
  fc.array(
    fc.record<Step>({
      number: fc.constantFrom(...NUMBERS),
      does: fc.constantFrom('open', 'open', 'label', 'label', 'close', 'reopen', 'delete', 'delete label'),
      labelIds: fc.subarray(LABELS),
    }),
    { minLength: 20, maxLength: 60 },
  ),
  { minLength: 1, maxLength: 4 },
);

const at = '2026-01-01T00:00:00Z';

describe('issues with labels', () => {
  let engine: EngineDatabase;
  let db: Database;
  let session: Session;
  let model: ReadModel;

  before(async () => {
    engine = await engineDatabase([issues], MIGRATIONS);
    const options = { ...engine.options, searchPath: [schemaOf(issues), 'public'] };
    db = new Database(options);
    session = await Session.connect(options);
    model = await ReadModel.open(db, issues, schemaOf(issues));
  });
  after(async () => {
    await session.close();
    await db.close();
    await engine.drop();
  });

  it('are found and counted as they are now, whatever happened to them', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (batches) => {
        await db.rows(`truncate ${Object.keys(issues.tables).join()}`);
        await db.rows('update checkpoint set position = -1');
        const known = new Map<number, KnownIssue>();
        const log = new TestLog();
        for (const batch of batches) {
          const from = log.last;
          const told = batch.flatMap((step) => tell(known, step));
          if (told.length === 0) continue;
          log.append(...told.map(({ event }) => event));
          const events = log.events
            .slice(-told.length)
            .map((event, index) => ({ ...event, streamId: told[index]?.streamId ?? '' }));
          await flush(session, { from, to: log.checkpoint, parts: [model.gather(events)] }, false);
        }

        for (const labelIds of [[1], [11], [2, 1], [1, 2, 11], [2, 2]])
          for (const isClosed of [false, true, undefined])
            for (const [limit, offset] of [
              [50, 0],
              [2, 0],
              [2, 1],
              [3, 20],
            ] as const) {
              const filter = { isClosed, labelIds: labelIds.map((id) => [id]) };
              const [rows, total] = await listIssues(db, REPOSITORY, filter, { limit, offset });
              const expected = numbersOf(known, labelIds, isClosed);
              expect(total).to.equal(expected.length);
              expect(rows.map(({ number }) => number)).to.deep.equal(expected.slice(offset, offset + limit));
            }

        await db.rows(
          `insert into labels select ${REPOSITORY}, n, n, n, '', '', false, false from unnest(array[${LABELS.join()}]) n`,
        );
        const [labels] = await listRepositoryLabels(db, REPOSITORY, 'name', { limit: 50, offset: 0 });
        for (const [index, id] of [1, 11, 2].entries())
          expect(labels[index]).to.include({ id, uses: numbersOf(known, [id], undefined).length });
      }),
      { numRuns: 30 },
    );
  });

  it('leave no labels where the repository is abandoned before it exists', async () => {
    await db.rows(`truncate ${Object.keys(issues.tables).join()}`);
    await db.rows('update checkpoint set position = -1');
    const label = { color: '00aabb', description: '', exclusive: false, isArchived: false, createdAt: at };
    const log = new TestLog();
    const tell = async (...told: Message[]) => {
      const from = log.last;
      log.append(...told);
      const events = log.events.slice(-told.length).map((event) => ({ ...event, streamId: `${REPOSITORY}` }));
      await flush(session, { from, to: log.checkpoint, parts: [model.gather(events)] }, false);
      const [, total] = await listRepositoryLabels(db, REPOSITORY, 'name', { limit: 50, offset: 0 });
      return total;
    };
    const created = (labelId: number): Message => ({
      type: 'LabelCreated',
      data: { labelId, name: `label ${labelId}`, ...label },
    });
    expect(await tell(created(1), created(2))).to.equal(2);
    expect(await tell({ type: 'RepositoryAbandoned', data: { abandonedAt: at } })).to.equal(0);
  });

  it('are found by sets alone', async () => {
    const asked: string[] = [];
    const listening = {
      rows: <R extends object>(statement: string | { readonly text: string }): Promise<R[]> => {
        asked.push(typeof statement === 'string' ? statement : statement.text);
        return Promise.resolve([]);
      },
    };
    const page = { limit: 5, offset: 0 };
    await listIssues(listening, REPOSITORY, { isClosed: false, labelIds: [[1], [2]], words: [] }, page);
    expect(asked).to.have.length(2);
    for (const text of asked) expect(text).to.include('issue_sets').and.not.include('exists');

    asked.length = 0;
    await listIssues(listening, REPOSITORY, { isClosed: false, labelIds: [[1], [2]], posterId: 3 }, page);
    await listIssues(listening, REPOSITORY, { isClosed: false, labelIds: [[1, 2]] }, page);
    for (const text of asked) expect(text).to.include('exists').and.not.include('issue_sets');
  });
});

function tell(
  known: Map<number, KnownIssue>,
  { number, does, labelIds }: Step,
): { readonly streamId: string; readonly event: Message }[] {
  const streamId = issueKey(REPOSITORY, number);
  const told = (type: string, data: Message['data']) => [{ streamId, event: { type, data } }];
  const issue = known.get(number);
  if (does === 'delete label') {
    const [labelId] = labelIds;
    if (labelId === undefined) return [];
    for (const one of known.values()) one.labelIds = one.labelIds.filter((id) => id !== labelId);
    return [{ streamId: String(REPOSITORY), event: { type: 'LabelDeleted', data: { labelId } } }];
  }
  if (does === 'open') {
    if (issue) return [];
    known.set(number, { labelIds, isClosed: false, isDeleted: false });
    const facts = { title: 't', body: '', ref: '', assigneeIds: [], milestoneId: null, dueAt: null };
    return told('IssueOpened', { issueId: number, posterId: 1, ...facts, labelIds, openedAt: at });
  }
  if (!issue || issue.isDeleted) return [];
  switch (does) {
    case 'label': {
      const added = labelIds.filter((id) => !issue.labelIds.includes(id));
      const removed = issue.labelIds.filter((id) => !labelIds.includes(id));
      issue.labelIds = labelIds;
      return told('IssueLabelsChanged', { labelIds, added, removed, cleared: false, changedAt: at });
    }
    case 'close':
      if (issue.isClosed) return [];
      issue.isClosed = true;
      return told('IssueClosed', { milestoneId: null, closedAt: at });
    case 'reopen':
      if (!issue.isClosed) return [];
      issue.isClosed = false;
      return told('IssueReopened', { milestoneId: null, reopenedAt: at });
    case 'delete':
      issue.isDeleted = true;
      return told('IssueDeleted', {
        issueId: number,
        wasClosed: issue.isClosed,
        milestoneId: null,
        deletedAt: at,
      });
  }
}

const numbersOf = (
  known: ReadonlyMap<number, KnownIssue>,
  labelIds: readonly number[],
  isClosed: boolean | undefined,
): number[] =>
  [...known]
    .filter(
      ([, issue]) =>
        !issue.isDeleted &&
        (isClosed === undefined || issue.isClosed === isClosed) &&
        labelIds.every((id) => issue.labelIds.includes(id)),
    )
    .map(([number]) => number)
    .sort((left, right) => right - left);
