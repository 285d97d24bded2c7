import { expect } from 'chai';
import type { Vault } from '../../src/vault/vault.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('the vault and mirrors', () => {
  let vaults: TestVaults;
  let vault: Vault;
  let other: Vault;

  beforeEach(async () => {
    vaults = await testVaults();
    [vault, other] = await Promise.all([vaults.open(), vaults.open()]);
  });
  afterEach(() => vaults.close());

  const credentials = { username: 'me', password: 's3cret' };

  it('keeps what they sign in with, until it is forgotten', async () => {
    await vault.mirrors.keep(1, { username: 'me', password: 'old' });
    await vault.mirrors.keep(1, credentials);
    expect(await other.mirrors.find(1)).to.deep.equal(credentials);
    expect(await other.mirrors.find(2)).to.equal(undefined);
    await other.mirrors.forget(1);
    await other.mirrors.forget(2);
    expect(await vault.mirrors.find(1)).to.equal(undefined);
  });

  it('stores it encrypted, for one repository alone', async () => {
    await vault.mirrors.keep(1, credentials);
    const [row] = await vaults.database.rows<{ text: string }>(
      `select encode(sealed, 'escape') as text from vault.mirrors`,
    );
    expect(row?.text).not.to.include('s3cret').and.not.include('"me"');
    await vaults.database.rows('update vault.mirrors set repository_id = 2');
    await rejection(vault.mirrors.find(2));
  });

  describe('work that one process at a time is enough for', () => {
    it('is left to the one that is at it', async () => {
      const done = await vault.tryWithKeyLock('key', async () => [
        await other.tryWithKeyLock('key', () => Promise.resolve('twice')),
        await other.tryWithKeyLock('another', () => Promise.resolve('else')),
      ]);
      expect(done).to.deep.equal([undefined, 'else']);
      expect(await other.tryWithKeyLock('key', () => Promise.resolve('later'))).to.equal('later');
    });

    it('may be taken up by another when it fails', async () => {
      await rejection(vault.tryWithKeyLock('key', () => Promise.reject(new Error('failed'))));
      expect(await other.tryWithKeyLock('key', () => Promise.resolve('done'))).to.equal('done');
    });
  });
});
