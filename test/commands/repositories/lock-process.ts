/** Holds the lock of a repository until it is told to finish. */
import { once } from 'node:events';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';

const [folder = '', id = ''] = process.argv.slice(2);
const locks = new RepositoryLocks({ dataDir: folder });
await locks.run(Number(id), async () => {
  process.send?.('held');
  await once(process, 'message');
  process.send?.('finishing');
});
locks.close();
process.disconnect();
