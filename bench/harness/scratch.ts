import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './question.js';

/** Makes a folder that is removed after the question. */
export async function scratchFolder(bench: Bench): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyforge-bench-'));
  bench.onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
