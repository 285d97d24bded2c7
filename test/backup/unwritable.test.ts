import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../src/backup/back-up.js';
import type { Git } from '../../src/git/git.js';
import { startApi, type TestApi } from '../support/api.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';

describe('a back-up of which a table cannot be written', () => {
  let api: TestApi;
  let folder: string;

  before(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
    await mkdir(join(folder, 'database/deliveries.payloads.copy.gz'), { recursive: true });
  });
  after(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('ends, with the error that it met, and holds nothing in the database', async () => {
    const { db } = api.connections;
    // More than is sent to somebody who reads nothing of it.
    await db.rows(`
      insert into deliveries.payloads (digest, text)
      select sha256(text::bytea), text
      from generate_series(1, 1000) n, lateral (select repeat(md5(n::text), 1000) as text) t`);
    const failure = await rejection(
      backUp(folder, {
        connections: api.connections,
        git: {} as Git, // there are no repositories
        version: '9.9.9',
        vaultKey: randomBytes(32),
        withKeys: false,
        say: () => undefined,
      }),
    );
    expect(failure)
      .to.have.property('code')
      .that.matches(/EISDIR/);
    const holding = () =>
      db.rows(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
    await until(async () => (await holding()).length === 0);
  });
});
