import { expect } from 'chai';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../src/backup/manifest.js';
import { keyOf } from '../../src/backup/restore/kept-key.js';
import { UsageError } from '../../src/programs/program.js';
import { rejection } from '../support/rejection.js';

describe('the key of a back-up', () => {
  let folder: string;
  const refusal = async () => {
    const error = await rejection(keyOf(folder, {} as Manifest, undefined));
    expect(error).to.be.instanceOf(UsageError);
    return error.message;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('is asked for where the back-up has none', async () => {
    expect(await refusal()).to.equal(
      'the back-up has no keys/vault.key: set VAULT_KEY to the key of its vault',
    );
  });

  it('is said to be there where it cannot be read', async () => {
    await mkdir(join(folder, 'keys'));
    await symlink('vault.key', join(folder, 'keys', 'vault.key')); // root too cannot read it
    expect(await refusal()).to.match(/vault\.key cannot be read: run this as a user who may read it\. ELOOP/);
  });
});
