import { join } from 'node:path';
import { looseObjects } from '../disk/loose.js';
import { makeScratch, orRemoved, removeFolder } from '../disk/scratch.js';
import { bytesBelow } from '../disk/size.js';
import { eachUnlessRemoved } from '../missing.js';
import type { Parts } from '../parts.js';
import type { Staging } from '../port/staging.js';
import { objectWriter } from './object-writer.js';
import { moveObjects } from './publish.js';

/** The maximum number of loose objects to publish; more are packed, so that only one file has to be synced to disk. */
const LOOSE_OBJECTS = 200;

/** See `Git.stage`. */
export async function stage(parts: Parts, id: number): Promise<Staging> {
  const { layout, program } = parts;
  const path = await makeScratch(layout, { alternate: await layout.existing(id) });
  const objects = join(path, 'objects');
  const staging: Staging = {
    path,
    ...(await orRemoved(path, () => objectWriter(parts, path))),

    bytes: async () => (await bytesBelow(objects)) - (await bytesBelow(join(objects, 'info'))),

    async publish() {
      const loose = await looseObjects(objects);
      if (loose.length > LOOSE_OBJECTS) {
        const input = `${loose.map((name) => name.replace('/', '')).join('\n')}\n`;
        await program.run(path, ['pack-objects', '--quiet', join(objects, 'pack/pack')], { input });
        await program.run(path, ['prune-packed', '--quiet']);
      }
      await moveObjects(objects, join(layout.pathOf(id), 'objects'));
      await removeFolder(path);
    },

    discard: () => removeFolder(path),
  };
  return eachUnlessRemoved(layout, staging, id);
}
