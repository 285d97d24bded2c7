import { confirmPosition } from '../../src/event-store/confirm-position.js';
import { liftTimeLimits } from '../../src/database/time-limits.js';
import { START, type Position } from '../../src/event-store/event-store.js';
import { schemaOf, type Projection } from '../projection.js';
import { readCheckpoint, readCheckpoints } from '../engine/checkpoint.js';
import { ReadModel } from '../engine/read-model.js';
import { advance, checkpointOf, type RebuildContext } from './advance.js';
import { compare, type Comparison } from './compare.js';
import { NextTables } from './next-tables.js';
import type { Progress } from './progress.js';
import { RebuildLockLost } from './rebuild-lock.js';
import { dropSchema, nextSchemaOf, oldSchemaOf, schemaExists } from './schemas.js';
import { swapIn } from './swap.js';

/** What to rebuild, and how. For each projection `onCompared` or `onFilled` is called before its tables are swapped. */
export interface RebuildOptions {
  readonly projections: readonly Projection[];
  /** Whether to compare only, without swapping. */
  readonly verify: boolean;
  readonly progress: Progress;
  readonly migrations?: URL;
  readonly onCompared: (projection: Projection, comparison: Comparison) => void;
  /** Called if the live tables had seen no event yet, so that there was nothing to compare with. */
  readonly onFilled: (projection: Projection) => void;
  /** Returns the last position of the log, up to which tables are built that have nothing to be compared with. */
  readonly end: () => Promise<Position>;
}

/**
 * Builds each projection from the first event beside the live tables, compares both at one position, and swaps them. If the
 * live tables are still at the start, as after they were dropped, builds up to the end of the log instead of comparing. The
 * live tables serve throughout; the next run drops what a killed one left. Rejects with `PositionNotInLog` if the live
 * tables are ahead of the log, or with the signal's reason if it is aborted.
 */
export async function rebuild(context: RebuildContext, options: RebuildOptions): Promise<void> {
  const { signal } = context;
  try {
    const nexts: NextTables[] = [];
    for (const projection of options.projections) {
      signal.throwIfAborted();
      const schema = nextSchemaOf(projection);
      nexts.push(await NextTables.create(context.database, projection, schema, options.migrations));
    }
    const models = nexts.map(({ model }) => model);
    const live = await livePositions(context, models);
    const blank = new Set(options.verify ? [] : models.filter((model) => live.get(model) === START));
    const end = blank.size > 0 ? await options.end() : START;
    const targets = new Map([...live].map(([model, at]) => [model, blank.has(model) ? end : at]));
    await build(context, targets, options.progress);
    for (const next of nexts) {
      const { model } = next;
      if (blank.has(model)) options.onFilled(model.projection);
      else options.onCompared(model.projection, await compareWithLive(context, model));
      if (options.verify) continue;
      await next.makeReadable(context.database);
      await swapIn(context, model);
    }
  } finally {
    options.progress.stop();
    // Without the lock, these may be the tables of another run.
    if (!(signal.reason instanceof RebuildLockLost)) await dropNext(context, options.projections);
  }
}

/** Drops the new tables. What cannot be dropped is left to the next run, so that the failure before this one is told. */
async function dropNext(
  { database, log }: RebuildContext,
  projections: readonly Projection[],
): Promise<void> {
  for (const schema of projections.map(nextSchemaOf))
    await dropSchema(database, schema).catch((error: unknown) => {
      log.warn({ err: error, schema }, 'the next rebuild drops these tables');
    });
}

/** Advances the tables from before the last swap to the live position, and swaps them with the live ones. */
export async function rollBack(context: RebuildContext, projection: Projection): Promise<void> {
  const old = oldSchemaOf(projection);
  if (!(await schemaExists(context.database, old))) {
    throw new Error(`${projection.name} has no earlier tables to go back to`);
  }
  await confirm(context, (await checkpointOf(context, schemaOf(projection))).position);
  await swapIn(context, await ReadModel.open(context.database, projection, old));
}

/**
 * Rejects if the live tables' position is not in the log, as after an older back-up of the log was restored: advancing to it
 * would wait for ever.
 */
const confirm = ({ source }: RebuildContext, live: Position) =>
  confirmPosition(source, live, { latest: new Date(0), markUnreadable: true });

/** Returns the position of each model's live tables. */
async function livePositions(
  { database }: RebuildContext,
  models: readonly ReadModel[],
): Promise<ReadonlyMap<ReadModel, Position>> {
  const live = await readCheckpoints(
    database,
    models.map(({ projection }) => schemaOf(projection)),
  );
  return new Map(
    models.flatMap((model) => {
      const checkpoint = live.get(schemaOf(model.projection));
      return checkpoint ? [[model, checkpoint.position]] : [];
    }),
  );
}

/** Builds each model up to its target position; those with the same target are built together. */
export async function build(
  context: RebuildContext,
  targets: ReadonlyMap<ReadModel, Position>,
  progress: Progress,
): Promise<void> {
  for (const until of new Set(targets.values())) {
    await confirm(context, until);
    const members = [...targets].flatMap(([model, target]) => (target === until ? [model] : []));
    progress.start(members.map(({ projection }) => projection.name).join(', '), until);
    await advance(context, members, until, ({ checkpoint, events }) =>
      progress.advance(checkpoint.position, events),
    );
    progress.finish();
  }
}

/** Takes a snapshot of the live tables, advances the new ones to its position, and compares the two. */
function compareWithLive(context: RebuildContext, next: ReadModel): Promise<Comparison> {
  const live = schemaOf(next.projection);
  return context.database.transaction(async (connection) => {
    await connection.rows('set transaction isolation level repeatable read, read only');
    await liftTimeLimits(connection); // the new tables take their time, and so do large ones
    const snapshot = await readCheckpoint(connection, live);
    if (!snapshot) throw new Error(`${live} has no checkpoint`);
    await advance(context, [next], snapshot.position);
    const model = await ReadModel.open(connection, next.projection, live);
    return compare({ db: connection, model }, { db: context.database, model: next });
  });
}
