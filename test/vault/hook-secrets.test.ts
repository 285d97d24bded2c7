import { expect } from 'chai';
import type { Vault } from '../../src/vault/vault.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('the vault and the secrets of hooks', () => {
  let vaults: TestVaults;
  let vault: Vault;

  beforeEach(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
  });
  afterEach(() => vaults.close());

  it('keeps them, each changed alone, until they are forgotten', async () => {
    const { hookSecrets } = vault;
    expect(await hookSecrets.find(1)).to.deep.equal({ secret: '', authorization: '' });
    await hookSecrets.keep(1, { secret: 'one' });
    await hookSecrets.keep(1, { authorization: 'Bearer two' });
    expect(await hookSecrets.find(1)).to.deep.equal({ secret: 'one', authorization: 'Bearer two' });
    await hookSecrets.keep(1, { secret: '' });
    expect(await hookSecrets.find(1)).to.deep.equal({ secret: '', authorization: 'Bearer two' });
    await hookSecrets.keep(2, { secret: 'three' });
    expect([...(await hookSecrets.findEach([1, 2, 3])).keys()].sort()).to.deep.equal([1, 2]);
    await hookSecrets.forget(1);
    expect((await hookSecrets.find(1)).authorization).to.equal('');
  });

  it('stores them encrypted, each in its place alone', async () => {
    await vault.hookSecrets.keep(1, { secret: 's3cret', authorization: 'Bearer s3cret' });
    const [row] = await vaults.database.rows<{ text: string }>(
      `select encode(secret_sealed || authorization_sealed, 'escape') as text from vault.hook_secrets`,
    );
    expect(row?.text).not.to.include('s3cret');
    await vaults.database.rows('update vault.hook_secrets set secret_sealed = authorization_sealed');
    await rejection(vault.hookSecrets.find(1));
  });
});
