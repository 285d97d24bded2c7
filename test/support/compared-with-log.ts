import type { Comparison } from '../../projections/rebuild/compare.js';
import { ProgressLines } from '../../projections/rebuild/progress.js';
import { rebuild } from '../../projections/rebuild/rebuild.js';
import { describeComparison } from '../../projections/rebuild/report.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import type { EventLog } from '../../src/event-log/event-log.js';
import { silent } from '../projections/engine/silent.js';

/** What became of one projection; `lines` say it to a person. */
export interface ComparedProjection extends Comparison {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Folds the log from its first event beside all read models, as `rebuild --all --verify` does, and compares. */
export async function comparedWithLog(
  databaseUrl: string,
  source: EventLog,
): Promise<readonly ComparedProjection[]> {
  const connection = { url: databaseUrl, applicationName: 'test-rebuild', onError: () => undefined };
  const database = new Database(connection);
  const compared: ComparedProjection[] = [];
  try {
    await rebuild(
      {
        database,
        connection,
        source,
        log: silent,
        signal: new AbortController().signal,
      },
      {
        projections,
        verify: true,
        progress: new ProgressLines(() => undefined),
        onCompared: (projection, comparison) => {
          const lines = describeComparison(projection, comparison);
          compared.push({ ...comparison, name: projection.name, lines });
        },
        onFilled: ({ name }) => {
          throw new Error(`${name} was swapped`);
        },
        end: () => source.lastPosition(),
      },
    );
  } finally {
    await database.close();
  }
  return compared;
}
