import { syncBare } from '../disk/bare.js';
import { replaceFile } from '../../files/durable.js';
import { makeScratch, moveIntoPlace, orRemoved } from '../disk/scratch.js';
import { GitRepositoryExists } from '../port/errors.js';
import type { Copies } from '../port/copies.js';
import type { RepositoryStorage } from '../port/storage.js';
import type { Parts } from '../parts.js';
import { stage } from '../staging/stage.js';
import { fork } from './fork.js';
import { fetchRemote } from './remote.js';

/** Implements forks and mirror clones. Each appears complete under its id, or not at all. */
export function copiesOf(parts: Parts, storage: Pick<RepositoryStorage, 'head'>): Copies {
  const { layout } = parts;
  return {
    fork: (from, to) => fork(parts, storage, from, to),

    async mirrorClone(url, to, options = {}) {
      if (await layout.exists(to)) throw new GitRepositoryExists(to);
      const scratch = await makeScratch(layout);
      return await orRemoved(scratch, async () => {
        const remote = await fetchRemote(parts, scratch, url, options);
        if (remote.defaultBranch !== undefined)
          await replaceFile(`${scratch}/HEAD`, `ref: refs/heads/${remote.defaultBranch}\n`);
        await syncBare(scratch);
        await moveIntoPlace(layout, scratch, to);
        return remote;
      });
    },

    async fetchMirror(id, url, options = {}) {
      const staging = await stage(parts, id);
      const fetched = () => fetchRemote(parts, staging.path, url, options);
      return { ...(await orRemoved(staging.path, fetched)), staging };
    },
  };
}
