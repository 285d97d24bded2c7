/** Takes a `Rebuild` from the process that forked it, answers `Rebuilt`, and ends. */
import { Lane } from '../../projections/engine/lane.js';
import { ReadModel } from '../../projections/engine/read-model.js';
import { createSchema } from '../../projections/engine/schemas.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import { START } from '../../src/event-store/event-store.js';
import { createLogger } from '../../src/logger.js';
import type { Rebuild, Rebuilt } from './rebuilt.js';
import { openLog } from './sample-log.js';

const KIBIBYTES_A_MEBIBYTE = 1024;

process.once('message', (order: Rebuild) => {
  void rebuild(order).then((answer) => process.send?.(answer, () => process.exit()));
});

async function rebuild({ url, projections: names, until }: Rebuild): Promise<Rebuilt> {
  const chosen = projections.filter(({ name }) => names.includes(name));
  const database = new Database({ url, applicationName: 'bench' });
  await dropSchemas(database, chosen);
  await database.transaction(async (connection) => {
    for (const projection of chosen) await createSchema(connection, projection, schemaFor(projection));
  });
  const models: ReadModel[] = [];
  for (const projection of chosen)
    models.push(await ReadModel.open(database, projection, schemaFor(projection)));
  const lane = new Lane(
    {
      database: { url, applicationName: 'bench' },
      source: openLog({ onEnd: () => undefined }, url),
      log: createLogger({ name: 'bench', level: 'warn' }),
      notify: false,
      onFailure: ({ error }) => {
        throw error;
      },
    },
    models,
    { position: START, recordedAt: new Date(0) },
  );
  const startedAt = performance.now();
  await lane.run({ signal: new AbortController().signal, until: BigInt(until) });
  const seconds = (performance.now() - startedAt) / 1000;
  await dropSchemas(database, chosen);
  const events = Number(until);
  return {
    events,
    eventsPerSecond: events / seconds,
    peakMB: process.resourceUsage().maxRSS / KIBIBYTES_A_MEBIBYTE,
  };
}

const schemaFor = (projection: Projection): string => `bench_${schemaOf(projection)}`;

async function dropSchemas(database: Database, chosen: readonly Projection[]): Promise<void> {
  for (const projection of chosen)
    await database.rows(`drop schema if exists "${schemaFor(projection)}" cascade`);
}
