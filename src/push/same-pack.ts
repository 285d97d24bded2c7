import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Queues } from '../concurrency/queues.js';

/** The pushes that have arrived at this process, by repository and pack. */
const arrived = new Queues();

/**
 * Waits until no other push of the same pack is on its way into the repository. Those that come later wait until this one's
 * program has `ended`. Of two at once, as when a client sends a push again, git would refuse one from 2.47 on, because each
 * puts a note of its own (`.keep`) beside the pack.
 */
export async function afterSamePack(
  repositoryId: number,
  quarantinePath: string,
  ended: Promise<unknown>,
): Promise<void> {
  const packs = await packsIn(quarantinePath);
  if (packs.length === 0) return;
  await new Promise<void>((resolve) => {
    void arrived.run(`${repositoryId} ${packs.join()}`, async () => {
      resolve();
      await ended.catch(() => undefined);
    });
  });
}

async function packsIn(quarantinePath: string): Promise<string[]> {
  if (quarantinePath === '') return [];
  const names = await readdir(join(quarantinePath, 'pack'));
  return names.filter((name) => name.endsWith('.pack'));
}
