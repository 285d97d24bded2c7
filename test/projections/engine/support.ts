import { setTimeout as sleep } from 'node:timers/promises';
import { Database, type DatabaseOptions } from '../../../src/database/database.js';
import type { Position } from '../../../src/event-store/event-store.js';
import { migrate } from '../../../src/migrate/migrate.js';
import { readCheckpoint } from '../../../projections/engine/checkpoint.js';
import type { EventSource } from '../../../projections/engine/event-source.js';
import { Projector, type ProjectorOptions } from '../../../projections/engine/projector.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import type { Projection } from '../../../projections/projection.js';
import { testDatabase, type TestDatabase } from '../../support/postgres.js';
import { TEST_MIGRATIONS, type Ask } from './people.js';
import { silent } from './silent.js';

export interface EngineDatabase {
  readonly database: Database;
  readonly options: DatabaseOptions;
  readonly alter: TestDatabase['alter'];
  drop(): Promise<void>;
}

/** A database with the projector's own tables and those of `projections`. */
export async function engineDatabase(
  projections: readonly Projection[],
  migrations = TEST_MIGRATIONS,
): Promise<EngineDatabase> {
  const scratch = await testDatabase();
  await migrate(scratch.url, ['projector']);
  const options = { url: scratch.url, applicationName: 'test' };
  const database = new Database(options);
  await ensureSchemas(database, projections, migrations);
  return {
    database,
    options,
    alter: scratch.alter,
    async drop() {
      await database.close();
      await scratch.drop();
    },
  };
}

export interface RunningProjector {
  stop(): Promise<void>;
}

export function startProjector(
  { options }: EngineDatabase,
  source: EventSource,
  projections: readonly Projection[],
  extra: Partial<ProjectorOptions> = {},
): RunningProjector {
  const stop = new AbortController();
  const projector = new Projector({ database: options, source, projections, log: silent, ...extra });
  const running = projector.run(stop.signal);
  return {
    stop() {
      stop.abort();
      return running;
    },
  };
}

/** Resolves when the schema's checkpoint has reached the position. */
export const reached = (database: Database, schema: string, position: Position): Promise<void> =>
  eventually(async () => {
    const checkpoint = await readCheckpoint(database, schema);
    return checkpoint !== undefined && checkpoint.position >= position;
  });

/** Resolves when `condition` holds; the test's own time limit ends the waiting. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(10);
}

export const asked = (...asks: Ask[]) => ({ type: 'Asked' as const, data: { asks } });

export const person = (id: number, name: string) =>
  asked({ table: 'people', ask: 'put', key: { id }, values: { name, score: 0 } });

export const scored = (id: number, by: number) =>
  asked({ table: 'people', ask: 'add', key: { id }, values: { score: by } });

export const dosed = (id: number, dose: number) => ({ type: 'Dosed' as const, data: { id, dose } });
