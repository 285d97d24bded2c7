/** Holds the lock of a repository until it is told to finish, which it notes before it lets go. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';

const [folder = '', id = ''] = process.argv.slice(2);
const locks = new RepositoryLocks({ dataDir: folder });
await locks.run(Number(id), async () => {
  process.send?.('held');
  await once(process, 'message');
  await writeFile(join(folder, 'finished'), '');
});
locks.close();
process.disconnect();
