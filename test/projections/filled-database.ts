import { schemaOf, type Projection } from '../../projections/projection.js';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { MIGRATIONS } from '../../src/migrate/migration-files.js';
import { engineDatabase } from './engine/support.js';

/** Read models that hold what these statements write. */
export interface FilledDatabase {
  /** It reads them as an api does. */
  readonly db: Database;
  drop(): Promise<void>;
}

/** Makes the tables of read models and of the caches beside them, and runs the statements. */
export async function filledDatabase(
  projections: readonly Projection[],
  statements: readonly string[],
): Promise<FilledDatabase> {
  const scratch = await engineDatabase(projections, MIGRATIONS);
  await migrate(scratch.options.url, ['cache']);
  const db = new Database({ ...scratch.options, searchPath: [...projections.map(schemaOf), 'public'] });
  for (const statement of statements) await db.rows(statement);
  return {
    db,
    async drop() {
      await db.close();
      await scratch.drop();
    },
  };
}
