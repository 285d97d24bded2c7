import { expect } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { startApi } from '../../support/api.js';
import { until } from '../../support/process.js';

describe('an api that stops', () => {
  it('takes no more requests while it waits for what it does beside them', async () => {
    const api = await startApi();
    const created = await api.admin.post('/user/repos', { name: 'much', auto_init: true });
    const { id } = created.json as { id: number };
    const loose = join(api.dataDir, 'repositories', id.toString(16).padStart(2, '0'), `${id}.git/objects/17`);
    await mkdir(loose, { recursive: true });
    for (let object = 0; object < 27; object++)
      await writeFile(join(loose, String(object).padStart(38, '0')), '');

    const locks = new RepositoryLocks(api);
    const written = await api.admin.post('/repos/root/much/contents/a', { content: 'YQ==' });
    expect(written.status).to.equal(201);
    // Whoever collects the garbage that is looked for now has to wait.
    const release = await new Promise<() => void>((hold) => {
      void locks.run(id, () => new Promise<void>(hold));
    });
    const stopped = api.stop();
    const isGone = () =>
      fetch(`${api.url()}/healthz`).then(
        () => false,
        () => true,
      );
    await until(isGone);
    release();
    await stopped;
    locks.close();
  });
});
