import { expect } from 'chai';
import { LastUses } from '../../src/vault/last-uses.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('the last uses of tokens', () => {
  let vaults: TestVaults;

  before(async () => {
    vaults = await testVaults();
  });
  after(() => vaults.close());

  it('are written by several processes at once, in whatever order the tokens were used', async () => {
    await vaults.database.rows(`
      insert into vault.tokens (token_id, account_id, last_eight, salt, hash, scopes)
      select nth, 1, '', '', '', '{}' from generate_series(1, 20000) nth;
      analyze vault.tokens`);
    const errors: unknown[] = [];
    const open = () => new LastUses(vaults.connect(), (error) => errors.push(error));
    const [upwards, downwards] = [open(), open()];
    for (let times = 0; times < 5; times++) {
      for (let id = 1; id < 1_000; id++) {
        upwards.note(id);
        downwards.note(1_000 - id);
      }
      await Promise.all([upwards.flush(), downwards.flush()]);
    }
    expect(errors).to.deep.equal([]);
  });

  it('are written at once where they are very many', () => {
    let statements = 0;
    const rows = () => {
      statements += 1;
      return Promise.resolve([]);
    };
    const uses = new LastUses({ rows }, () => undefined);
    for (let id = 1; id <= 2_000; id++) uses.note(id);
    expect(statements).to.equal(2);
  });

  it('never go back, as where another process has noted a later one', async () => {
    await vaults.database.rows(`
      insert into vault.tokens (token_id, account_id, last_eight, salt, hash, scopes, last_used)
      values (20001, 1, '', '', '', '{}', 'infinity')`);
    const uses = new LastUses(vaults.connect(), () => undefined);
    uses.note(20_001);
    await uses.flush();
    const later = `select from vault.tokens where token_id = 20001 and last_used = 'infinity'`;
    expect(await vaults.database.rows(later)).to.have.lengthOf(1);
  });
});
