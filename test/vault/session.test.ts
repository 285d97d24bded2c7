import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { sql } from '../../src/database/sql.js';
import { Session } from '../../src/vault/session.js';
import { testDatabase } from '../support/postgres.js';

describe('the connection that the vault holds', () => {
  const ignore = () => undefined;

  it('is away, as a database may be, for whoever asks while there is none', async () => {
    const database = new Database({
      url: 'postgresql://nobody@/?host=/nonexistent',
      applicationName: 'test',
    });
    const session = new Session({ database, onNotification: ignore, onBroken: ignore, onError: ignore });
    const error = await session.rows(sql`select 1`).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    await database.close();
  });

  it('goes back without its locks, and hears of nothing more', async () => {
    const scratch = await testDatabase();
    const database = new Database({ url: scratch.url, applicationName: 'test', maxConnections: 1 });
    const session = new Session({ database, onNotification: ignore, onBroken: ignore, onError: ignore });
    await session.start();
    await session.rows(sql`select pg_advisory_lock(1)`);
    await session.close();
    const kept = await database.exclusive((connection) =>
      connection.rows(`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
        union all select from pg_listening_channels()`),
    );
    expect(kept).to.deep.equal([]);
    await database.close();
    await scratch.drop();
  });
});
