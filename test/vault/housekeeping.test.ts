import { expect } from 'chai';
import { keepVault } from '../../src/vault/housekeeping.js';
import { eventually } from '../projections/engine/support.js';
import { silent } from '../projections/engine/silent.js';
import { testVaults } from '../support/vaults.js';

describe('the keeping of the vault', () => {
  it('drops answers that are too old and secrets that are nobody’s', async () => {
    const vaults = await testVaults();
    const vault = await vaults.open();
    await vault.answers.store('key', { bodyHash: 'hash', status: 204, headers: {}, body: '' });
    await vault.hookSecrets.keep(1, 'secret', 'one');
    await vaults.database.rows(`
      update vault.answers set stored_at = now() - interval '25 hours';
      update vault.hook_secrets set unproven_since = now() - interval '2 hours'`);
    const stop = new AbortController();
    const nobody = () => Promise.resolve(false);
    const keeping = keepVault(
      vault,
      { hook: () => Promise.resolve([]), mirror: nobody, edit: nobody },
      silent,
      stop.signal,
    );
    await eventually(async () => {
      const rows = await vaults.database.rows(
        'select key_hash from vault.answers union all select hook_id::text from vault.hook_secrets',
      );
      return rows.length === 0;
    });
    stop.abort();
    await keeping;
    expect(await vault.hookSecrets.findEach([1])).to.have.property('size', 0);
    await vaults.close();
  });
});
