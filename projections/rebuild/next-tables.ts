import type { Database } from '../../src/database/database.js';
import { liftTimeLimits } from '../../src/database/time-limits.js';
import { ReadModel } from '../engine/read-model.js';
import { createSchema } from '../engine/schemas.js';
import type { Projection } from '../projection.js';
import { dropSchema } from './schemas.js';
import { putSearchIndexesAside } from './search-indexes.js';

/** New tables that a rebuild fills from the first event before they go live. */
export class NextTables {
  private constructor(
    readonly model: ReadModel,
    private readonly makeSearchIndexes: readonly string[],
  ) {}

  /** Creates the tables, empty, and replaces what a killed run may have left in the schema. */
  static create(
    database: Database,
    projection: Projection,
    schema: string,
    migrations?: URL,
  ): Promise<NextTables> {
    return database.transaction(async (connection) => {
      await dropSchema(connection, schema);
      await createSchema(connection, projection, schema, migrations);
      const makeSearchIndexes = await putSearchIndexesAside(connection, schema);
      return new NextTables(await ReadModel.open(connection, projection, schema), makeSearchIndexes);
    });
  }

  /** Creates the search indexes, which only readers need. To be called once, after the tables are filled. */
  async makeReadable(database: Database): Promise<void> {
    await database.transaction(async (connection) => {
      await liftTimeLimits(connection); // those of large tables take their time
      for (const statement of this.makeSearchIndexes) await connection.rows(statement);
    });
  }
}
