import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { sql } from '../../src/database/sql.js';
import { Session } from '../../src/vault/session.js';

describe('the connection that the vault holds', () => {
  it('is away, as a database may be, for whoever asks while there is none', async () => {
    const database = new Database({
      url: 'postgresql://nobody@/?host=/nonexistent',
      applicationName: 'test',
    });
    const ignore = () => undefined;
    const session = new Session({ database, onNotification: ignore, onBroken: ignore, onError: ignore });
    const error = await session.rows(sql`select 1`).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    await database.close();
  });
});
