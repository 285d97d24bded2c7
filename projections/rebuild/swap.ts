import { sql } from '../../src/database/sql.js';
import { schemaOf } from '../projection.js';
import { readCheckpoint } from '../engine/checkpoint.js';
import type { ReadModel } from '../engine/read-model.js';
import { listStopped, tellStatus } from '../engine/status.js';
import { advance, checkpointOf, type RebuildContext } from './advance.js';
import { dropSchema, nextSchemaOf, oldSchemaOf, schemaExists } from './schemas.js';

/** Of a swap that stands still: the projector, and who waits for it, would wait as long. */
const IDLE_AT_MOST = '10s';

/**
 * Puts a schema in the place of the live one, which is kept as `…__old`. The projector waits at the live checkpoint
 * for as long as the last events take, and then goes on in the new tables: they stand at the position that it left, or
 * where the live ones were blank further, so that it begins again from there. A process that is stopped meanwhile loses
 * its connection, and nothing is changed.
 */
export async function swapIn(
  context: RebuildContext,
  incoming: ReadModel,
  idleAtMost = IDLE_AT_MOST,
): Promise<void> {
  const { projection } = incoming;
  const live = schemaOf(projection);
  const old = oldSchemaOf(projection);
  const unwanted = nextSchemaOf(projection); // what is found there is dropped, should this process be killed
  // A projection that stopped is to come back at work, so its new tables must be past what stopped it.
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
    // Dropping waits for whoever reads there still, and here the projector would wait with it.
    if (await schemaExists(connection, old))
      await connection.rows(`alter schema "${old}" rename to "${unwanted}"`);
    await connection.rows(`alter schema "${outgoing}" rename to "${old}"`);
    await connection.rows(sql`delete from projector.status where schema = ${live}`);
    await tellStatus(connection);
  });
  await dropSchema(context.database, unwanted);
}
