import { ReadModel } from '../../../projections/engine/read-model.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { schemaOf } from '../../../projections/projection.js';
import { advance, EventRefused } from '../../../projections/rebuild/advance.js';
import { projections } from '../../../projections/registry.js';
import type { Connections } from '../../connections.js';
import { createLogger } from '../../logging/logger.js';

/**
 * Creates the tables of all read models and brings them to the end of the log. Returns what is wrong with an event that
 * one of them cannot apply; then the projector, which stops only that read model, has to build the others.
 */
export async function buildReadModels({ db, log, databaseUrl }: Connections): Promise<string | undefined> {
  await ensureSchemas(db, projections);
  const models = await Promise.all(
    projections.map((projection) => ReadModel.open(db, projection, schemaOf(projection))),
  );
  const context = {
    database: db,
    connection: { url: databaseUrl, applicationName: 'tallyforge-restore' },
    source: log,
    log: createLogger({ name: 'restore', level: 'warn' }),
    signal: new AbortController().signal,
  };
  try {
    await advance(context, models, 'head');
    return undefined;
  } catch (error) {
    if (error instanceof EventRefused) return error.message;
    throw error;
  }
}
