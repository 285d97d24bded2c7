import { expect } from 'chai';
import { readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../src/config.js';
import { vaultKey, writeVaultKey } from '../../src/start/vault-key.js';
import { withVaultKey } from '../../src/start/with-vault-key.js';
import { OtherVaultKey } from '../../src/vault/people.js';
import { dataDir } from '../support/data-dir.js';
import { rejection } from '../support/rejection.js';
import { syncedBy } from '../support/synced.js';

describe('the key of the vault', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  beforeEach(async () => {
    data = await dataDir();
  });
  afterEach(() => data.remove());

  it('is made once, whoever asks first, and only its owner may read it', async () => {
    const [first, second] = await Promise.all([vaultKey(data.path), vaultKey(data.path)]);
    expect(first).to.have.lengthOf(32);
    expect(second).to.deep.equal(first);
    expect(await vaultKey(data.path)).to.deep.equal(first);
    expect((await stat(join(data.path, 'vault.key'))).mode & 0o777).to.equal(0o600);
  });

  it('is on the disk before anything is sealed with it, with its entry in the folder', async () => {
    const folder = await realpath(data.path);
    const synced = await syncedBy(() => vaultKey(folder));
    expect([...synced]).to.include(folder);
    const restored = await syncedBy(() => writeVaultKey(folder, Buffer.alloc(32)));
    expect([...restored]).to.include(folder);
  });

  it('is never made anew over a file that is not a key', async () => {
    await writeFile(join(data.path, 'vault.key'), 'short');
    const error = await vaultKey(data.path).catch((cause: unknown) => cause as Error);
    expect(error).to.be.an('error').with.property('message').that.includes('does not hold 32 bytes');
  });

  it('is not made where one is given', async () => {
    const given = Buffer.alloc(32, 7);
    const used = await withVaultKey({ vaultKey: given, dataDir: data.path }, (key) => Promise.resolve(key));
    expect(used).to.equal(given);
    expect(await readdir(data.path)).to.deep.equal([]);
  });

  it('stays where preparing fails, unless it was made just then and the vault has another', async () => {
    const prepared = (cause: Error) =>
      rejection(
        withVaultKey({ vaultKey: undefined, dataDir: data.path }, () =>
          Promise.reject(new Error('no', { cause })),
        ),
      );
    expect(await prepared(new OtherVaultKey())).to.be.instanceOf(ConfigError);
    expect(await readdir(data.path)).to.deep.equal([]);
    expect((await prepared(new Error('away'))).message).to.equal('no');
    expect((await prepared(new OtherVaultKey())).message).to.equal('no');
    expect(await readdir(data.path)).to.deep.equal(['vault.key']);
  });
});
