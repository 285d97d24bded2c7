import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a `DATA_DIR` that the database's user can pass through; removed by `remove`. */
export async function dataDir(below = tmpdir()): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(below, 'tallyforge-data-'));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
