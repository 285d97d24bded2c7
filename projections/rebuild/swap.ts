import { sql } from '../../src/database/sql.js';
import { schemaOf } from '../projection.js';
import { readCheckpoint } from '../engine/checkpoint.js';
import type { ReadModel } from '../engine/read-model.js';
import { listStopped, tellStatus } from '../engine/status.js';
import { advance, checkpointOf, type RebuildContext } from './advance.js';
import { dropSchema, nextSchemaOf, oldSchemaOf, schemaExists } from './schemas.js';

/** How long a swap's transaction may idle before PostgreSQL ends it, because the projector and its readers wait for it. */
const IDLE_AT_MOST = '10s';

/**
 * Puts a schema in place of the live one, which is kept as `…__old`. The live checkpoint is locked while the last events
 * are written, so the projector waits, and then continues in the new tables. They are at its position; or, if the live
 * ones were blank, further on, and then the projector starts anew from theirs. If this process stops meanwhile, its
 * transaction is rolled back and nothing has changed.
 */
export async function swapIn(
  context: RebuildContext,
  incoming: ReadModel,
  idleAtMost = IDLE_AT_MOST,
): Promise<void> {
  const { projection } = incoming;
  const live = schemaOf(projection);
  const old = oldSchemaOf(projection);
  const unwanted = nextSchemaOf(projection); // if this process is killed, the next rebuild drops that schema
  // A stopped projection is to work again after the swap, so the new tables must be past the event that stopped it.
  const stopped = (await listStopped(context.database)).has(live);
  await advance(context, [incoming], stopped ? 'head' : (await checkpointOf(context, live)).position);

  await context.database.transaction(async (connection) => {
    await connection.rows(`set local idle_in_transaction_session_timeout = '${idleAtMost}'`);
    await connection.rows(`lock table "${live}".checkpoint in exclusive mode`);
    const here = await readCheckpoint(connection, live);
    if (here) await advance(context, [incoming], here.position);
    const outgoing = `${live}__outgoing`;
    await connection.rows(`alter schema "${live}" rename to "${outgoing}"`);
    await connection.rows(`alter schema "${incoming.schema}" rename to "${live}"`);
    // Dropping the schema here would wait for its last readers, and the projector would wait too.
    if (await schemaExists(connection, old))
      await connection.rows(`alter schema "${old}" rename to "${unwanted}"`);
    await connection.rows(`alter schema "${outgoing}" rename to "${old}"`);
    await connection.rows(sql`delete from projector.status where schema = ${live}`);
    await tellStatus(connection);
  });
  await dropSchema(context.database, unwanted);
}
