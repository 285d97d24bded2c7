import { expect } from 'chai';
import { accounts } from '../../projections/accounts/accounts.js';
import { organizations } from '../../projections/organizations/organizations.js';
import { schemaOf } from '../../projections/projection.js';
import { Database } from '../../src/database/database.js';
import { AccountMoved, takenOrMoved } from '../../src/http/find.js';
import { startApi, type TestApi } from '../support/api.js';

describe('a name that was not found', () => {
  let api: TestApi;
  let db: Database;
  const again = (name: string) => takenOrMoved(db, name, undefined).catch((error: unknown) => error);

  before(async () => {
    api = await startApi();
    db = new Database({
      url: api.connections.databaseUrl,
      applicationName: 'test',
      searchPath: [schemaOf(accounts), schemaOf(organizations)],
    });
    await api.createUser('before');
    await api.admin.post('/admin/users/before/rename', { new_username: 'now' });
  });
  after(async () => {
    await db.close();
    await api.stop();
  });

  it('leads on to whoever had it', async () => {
    expect(await again('Before'))
      .to.be.instanceOf(AccountMoved)
      .and.to.include({ to: 'now' });
  });

  it('is that of whoever took it between the two looks', async () => {
    const { id } = await api.createUser('taken');
    expect(await again('TAKEN')).to.include({ id });
  });

  it('is absent where nobody ever had it, and for what is no name', async () => {
    expect(await again('nobody')).to.include({ code: 'account.absent' });
    expect(await again('no name')).to.include({ code: 'account.absent' });
  });
});
