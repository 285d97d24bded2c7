import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import type { Parts } from '../parts.js';
import { GitError } from '../port/errors.js';
import type { RepositoryStorage } from '../port/storage.js';
import { objectWriter } from '../staging/object-writer.js';
import { syncBare } from './bare.js';
import { fsync, replaceFile } from '../../files/durable.js';
import { emptyRefs, refLocks } from './loose-refs.js';
import { writePackedRefs } from './packed-refs.js';
import { makeScratch, moveIntoPlace, orRemoved, removeFolder, sweepScratch } from './scratch.js';
import { bytesBelow } from './size.js';
import { collect, hasMuch, isUnfinished } from './garbage.js';

/** Implements creating, measuring, maintaining and removing of bare repositories on disk. */
export function storageOf(parts: Parts): RepositoryStorage {
  const { layout, program, handles } = parts;
  return {
    async create(id, { defaultBranch, initial }) {
      const scratch = await makeScratch(layout, { defaultBranch });
      return await orRemoved(scratch, async () => {
        const first = await initial?.(await objectWriter(parts, scratch));
        if (first) await writePackedRefs(scratch, new Map([[`refs/heads/${defaultBranch}`, first.hash]]));
        await syncBare(scratch);
        await moveIntoPlace(layout, scratch, id);
        return first;
      });
    },

    async remove(id) {
      const path = layout.pathOf(id);
      const gone = join(layout.staging, `${randomUUID()}.git`);
      handles.drop(path);
      // Renamed first, so that nobody sees it half removed.
      if ((await unlessGone(rename(path, gone).then(() => true))) === undefined) return;
      await fsync(dirname(path));
      // If a push still writes there, the rest is swept later.
      await removeFolder(gone).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      });
    },

    exists: (id) => layout.exists(id),

    async *ids() {
      for (const folder of await readdir(layout.root)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const name of await readdir(join(layout.root, folder))) {
          const [, id] = /^(\d+)\.git$/.exec(name) ?? [];
          if (id !== undefined) yield Number(id);
        }
      }
    },

    sweep: () => sweepScratch(layout),

    pathOf: (id) => layout.pathOf(id),

    async sizeOf(id) {
      const path = await layout.existing(id);
      return await bytesBelow(path, (file) => isUnfinished(path, file));
    },

    async head(id) {
      const text = await readFile(join(await layout.existing(id), 'HEAD'), 'utf8');
      return /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text)?.[1];
    },

    async setHead(id, branch) {
      const path = await layout.existing(id);
      const name = `refs/heads/${branch}`;
      const { code } = await program.run(path, ['check-ref-format', name], { codes: [0, 1] });
      if (code !== 0) throw new GitError(`HEAD cannot name ${branch}`);
      await replaceFile(join(path, 'HEAD'), `ref: ${name}\n`);
    },

    async mendRefs(id) {
      const path = await layout.existing(id);
      for (const left of [...(await refLocks(path)), ...(await emptyRefs(path))])
        await rm(left, { force: true });
    },

    async hasMuchGarbage(id) {
      return await hasMuch(await layout.existing(id));
    },

    async gc(id, options) {
      const path = await layout.existing(id);
      try {
        await collect(program, path, options?.signal);
      } finally {
        handles.drop(path);
      }
    },

    async packRefs(id) {
      await program.run(await layout.existing(id), ['pack-refs', '--all']);
    },
  };
}
