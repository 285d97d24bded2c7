import { expect } from 'chai';
import { rejection } from '../support/rejection.js';
import { dataDir } from '../support/data-dir.js';
import { ConfigError } from '../../src/config.js';
import { readServiceConfig } from '../../src/start/service-config.js';
import { vaultKey } from '../../src/start/vault-key.js';

const DATABASE_URL = 'postgresql://nobody@127.0.0.1/none';

describe('the configuration of a process without a supervisor', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  beforeEach(async () => {
    data = await dataDir();
  });
  afterEach(() => data.remove());

  it('must name database and key, beside all else that is wrong', async () => {
    const error = await rejection(readServiceConfig({ PORT: 'http', VAULT_KEY: '', DATA_DIR: data.path }));
    expect(error).to.be.instanceOf(ConfigError);
    expect(error.message).to.match(/PORT must be .*\n +DATABASE_URL must be set\n +VAULT_KEY must be set$/);
  });

  it('has the key that was made in DATA_DIR, unless VAULT_KEY is set', async () => {
    const made = await vaultKey(data.path);
    const env = { DATABASE_URL, DATA_DIR: data.path };
    expect((await readServiceConfig(env)).vaultKey).to.deep.equal(made);
    const given = { ...env, VAULT_KEY: '11'.repeat(32) };
    expect((await readServiceConfig(given)).vaultKey).to.deep.equal(Buffer.alloc(32, 0x11));
  });
});
