import { join } from 'node:path';
import { looseObjects } from '../disk/loose.js';
import { makeScratch, orRemoved, removeFolder } from '../disk/scratch.js';
import { bytesBelow } from '../disk/size.js';
import { eachUnlessRemoved } from '../missing.js';
import type { Parts } from '../parts.js';
import type { Staging } from '../port/staging.js';
import { objectWriter } from './object-writer.js';
import { moveObjects } from './publish.js';
import { hasGarbage, takeFromGarbage, without } from './take-from-garbage.js';

/** The maximum number of loose objects to publish; more are packed, so that only one file has to be synced to disk. */
const LOOSE_OBJECTS = 200;

/** See `Git.stage`. */
export async function stage(parts: Parts, id: number): Promise<Staging> {
  const { layout, program } = parts;
  const repository = await layout.existing(id);
  const path = await makeScratch(layout, { alternate: repository });
  const objects = join(path, 'objects');
  const writer = await orRemoved(path, () => objectWriter(parts, path));
  const isAtRisk = await orRemoved(path, () => hasGarbage(repository)); // before anything is written: gc may drop it then
  const written: string[] = [];
  let completing: Promise<void> | undefined;
  const complete = async () => {
    if (isAtRisk) await (completing ??= takeFromGarbage(parts, { path, repository, written }));
  };
  const staging: Staging = {
    path,
    ...writer,

    async writeCommit(asked) {
      const commit = await writer.writeCommit(asked);
      written.push(commit.hash, ...asked.parents.map(without));
      return commit;
    },

    async writeTag(asked) {
      const hash = await writer.writeTag(asked);
      written.push(hash, without(asked.object.hash));
      return hash;
    },

    async bytes() {
      await complete();
      return (await bytesBelow(objects)) - (await bytesBelow(join(objects, 'info')));
    },

    async publish() {
      await complete();
      const loose = await looseObjects(objects);
      if (loose.length > LOOSE_OBJECTS) {
        const input = `${loose.map((name) => name.replace('/', '')).join('\n')}\n`;
        await program.run(path, ['pack-objects', '--quiet', join(objects, 'pack/pack')], { input });
        await program.run(path, ['prune-packed', '--quiet']);
      }
      await moveObjects(objects, join(repository, 'objects'));
      await removeFolder(path);
    },

    discard: () => removeFolder(path),
  };
  return eachUnlessRemoved(layout, staging, id);
}
