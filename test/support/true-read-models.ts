import { readCheckpoints } from '../../projections/engine/checkpoint.js';
import { ReadModel } from '../../projections/engine/read-model.js';
import { schemaOf } from '../../projections/projection.js';
import { compare } from '../../projections/rebuild/compare.js';
import { ProgressLines } from '../../projections/rebuild/progress.js';
import { build } from '../../projections/rebuild/rebuild.js';
import { describeComparison } from '../../projections/rebuild/report.js';
import { projections } from '../../projections/registry.js';
import { Queues } from '../../src/concurrency/queues.js';
import type { Connections } from '../../src/connections.js';
import { Database, type DatabaseOptions } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import type { EventLog } from '../../src/event-log/event-log.js';
import { START } from '../../src/event-store/event-store.js';
import { silent } from '../projections/engine/silent.js';
import { preparedDatabase } from './prepared-database.js';

/** Read models that serve no api, in a database of their own. Its connection ends with the server. */
interface Mirror {
  readonly db: Database;
  readonly connection: DatabaseOptions;
  readonly models: readonly ReadModel[];
}

const queues = new Queues();
let mirror: Promise<Mirror> | undefined;

/**
 * Rejects if the read models in `db` are not what the log gives up to where they stand; nobody may write to them
 * meanwhile. This is what `rebuild --all --verify` looks at. It makes tables beside the live ones; here those of a mirror
 * are emptied, which takes a fraction of the time.
 */
export const expectTrueReadModels = ({ db, log }: Connections): Promise<void> =>
  queues.run('mirror', async () => {
    mirror ??= openMirror();
    const folded = await mirror;
    await folded.db.rows(folded.models.map(emptying).join(';'));
    await foldAsFar(folded, db, log);
    const different: string[] = [];
    for (const model of folded.models) {
      const comparison = await compare({ db, model }, { db: folded.db, model });
      if (comparison.differences.length > 0)
        different.push(...describeComparison(model.projection, comparison));
    }
    if (different.length > 0) throw new Error(['read models differ from the log:', ...different].join('\n'));
  });

async function openMirror(): Promise<Mirror> {
  const { url } = await preparedDatabase();
  const connection = { url, applicationName: 'test-mirror', onError: () => undefined };
  const db = new Database(connection);
  const models = projections.map((projection) => ReadModel.open(db, projection, schemaOf(projection)));
  return { db, connection, models: await Promise.all(models) };
}

/** Advances empty models to the positions of those in `live`. */
async function foldAsFar(
  { db, connection, models }: Mirror,
  live: Queryable,
  source: EventLog,
): Promise<void> {
  const context = { database: db, connection, source, log: silent, signal: new AbortController().signal };
  const schemas = models.map(({ schema }) => schema);
  const checkpoints = await readCheckpoints(live, schemas);
  const targets = models.map((model) => [model, checkpoints.get(model.schema)?.position ?? START] as const);
  await build(context, new Map(targets), new ProgressLines(() => undefined));
}

const emptying = ({ schema, tables }: ReadModel): string =>
  [
    ...tables.map(({ shape }) => `delete from "${schema}"."${shape.name}"`),
    `update "${schema}".checkpoint set position = ${START}, recorded_at = 'epoch'`,
  ].join(';');
