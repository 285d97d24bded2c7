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

  it('keeps each under an id of its own, until it is forgotten', async () => {
    const { hookSecrets } = vault;
    const [one, another] = [
      await hookSecrets.keep(1, 'secret', 'a'),
      await hookSecrets.keep(1, 'secret', 'b'),
    ];
    const header = await hookSecrets.keep(1, 'authorization', 'Bearer c');
    const elsewhere = await hookSecrets.keep(2, 'secret', 'd');
    const found = async () => Object.fromEntries(await hookSecrets.findEach([1, 2, 3]));
    const all = { [one]: 'a', [another]: 'b', [header]: 'Bearer c', [elsewhere]: 'd' };
    expect(await found()).to.deep.equal(all);
    await hookSecrets.forgetEach([one, header]);
    expect(await found()).to.deep.equal({ [another]: 'b', [elsewhere]: 'd' });
    await hookSecrets.forget(1);
    expect(await found()).to.deep.equal({ [elsewhere]: 'd' });
  });

  it('stores them encrypted, each in its place alone', async () => {
    for (const part of ['secret', 'authorization'] as const) await vault.hookSecrets.keep(1, part, 's3cret');
    const rows = await vaults.database.rows<{ text: string }>(
      `select encode(sealed, 'escape') as text from vault.hook_secrets`,
    );
    expect(rows.map(({ text }) => text).join()).not.to.include('s3cret');
    await vaults.database.rows(
      `update vault.hook_secrets set part = case part when 'secret' then 'authorization' else 'secret' end`,
    );
    await rejection(vault.hookSecrets.findEach([1]));
  });
});
