/** Takes a `Rebuild` from the process that forked it, answers `Rebuilt`, and ends. */
import { Lane } from '../../projections/engine/lane.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import { NextTables } from '../../projections/rebuild/next-tables.js';
import { dropSchema } from '../../projections/rebuild/schemas.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import { START } from '../../src/event-store/event-store.js';
import { createLogger } from '../../src/logging/logger.js';
import type { Rebuild, Rebuilt } from './rebuilt.js';
import { openLog } from './sample-log.js';

const KIBIBYTES_A_MEBIBYTE = 1024;

process.once('message', (order: Rebuild) => {
  void rebuild(order).then((answer) => process.send?.(answer, () => process.exit()));
});

async function rebuild({ url, projections: names, until }: Rebuild): Promise<Rebuilt> {
  const chosen = projections.filter(({ name }) => names.includes(name));
  const database = new Database({ url, applicationName: 'bench' });
  const nexts: NextTables[] = [];
  for (const projection of chosen)
    nexts.push(await NextTables.create(database, projection, schemaFor(projection)));
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
    nexts.map(({ model }) => model),
    { position: START, recordedAt: new Date(0) },
  );
  const startedAt = performance.now();
  await lane.run({ signal: new AbortController().signal, until: BigInt(until) });
  for (const next of nexts) await next.makeReadable(database);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const projection of chosen) await dropSchema(database, schemaFor(projection));
  const events = Number(until);
  return {
    events,
    eventsPerSecond: events / seconds,
    peakMB: process.resourceUsage().maxRSS / KIBIBYTES_A_MEBIBYTE,
  };
}

const schemaFor = (projection: Projection): string => `bench_${schemaOf(projection)}`;
