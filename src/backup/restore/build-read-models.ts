import { ReadModel } from '../../../projections/engine/read-model.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { schemaOf } from '../../../projections/projection.js';
import { advance } from '../../../projections/rebuild/advance.js';
import { projections } from '../../../projections/registry.js';
import type { Connections } from '../../connections.js';
import { createLogger } from '../../logger.js';

/** Makes the tables of all read models and brings them to the end of the log. */
export async function buildReadModels({ db, log, databaseUrl }: Connections): Promise<void> {
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
  await advance(context, models, 'head');
}
