import { expect } from 'chai';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { readConfig } from '../../../src/config.js';
import { sql } from '../../../src/database/sql.js';
import { openFoundations } from '../../../src/http/server/foundations.js';
import { createLogger } from '../../../src/logging/logger.js';
import { dataDir } from '../../support/data-dir.js';
import { administeredDatabase, VAULT_KEY } from '../../support/prepared-database.js';

describe('what an api stands on', () => {
  it('leaves its locks to others only when nothing can work under them any more', async () => {
    const [database, data] = await Promise.all([administeredDatabase(), dataDir()]);
    const config = readConfig({ DATA_DIR: data.path });
    const logger = createLogger({ name: 'test', level: 'silent' });
    const foundations = await openFoundations({
      config: { ...config, databaseUrl: database.url, vaultKey: VAULT_KEY },
      logger,
      version: '1.0.0',
      schemas: {},
    });
    const { connections, repositoryLocks } = foundations;
    const others = new RepositoryLocks({ dataDir: data.path });
    const done: string[] = [];
    let work: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      work = repositoryLocks.run(1, () =>
        connections.db.transaction(async (connection) => {
          await connection.rows(sql`select`);
          begun();
          await connection.rows(sql`select pg_sleep(1)`);
          done.push('what was begun');
        }),
      );
    });
    const closing = foundations.close();
    await others.run(1, () => Promise.resolve(done.push('what others do')));
    expect(done).to.deep.equal(['what was begun', 'what others do']);
    await Promise.all([work, closing]);
    others.close();
    await database.drop();
    await data.remove();
  });
});
