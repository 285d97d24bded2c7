import { Queues } from '../../src/concurrency/queues.js';
import type { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import type { Statement } from '../../src/database/sql.js';

/** Lends `look` what a statement leaves, which is undone afterwards. */
export async function tampered<T>(
  db: Database,
  tampering: Statement | string,
  look: (db: Queryable) => Promise<T>,
): Promise<T> {
  const queues = new Queues(); // one connection runs one statement at a time
  return db.exclusive(async (connection) => {
    await connection.rows('begin');
    try {
      await connection.rows(tampering);
      return await look({ rows: (statement) => queues.run('', () => connection.rows(statement)) });
    } finally {
      await connection.rows('rollback');
    }
  });
}
