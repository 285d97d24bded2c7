import { LRUCache } from 'lru-cache';
import type { Layout } from './disk/layout.js';
import type { History } from './port/history.js';
import type { Blob, Objects, Tree, TreeEntry } from './port/objects.js';

type Reads = Pick<Objects, 'entry' | 'tree' | 'blob' | 'types'> & Pick<History, 'lastCommits'>;

type Kept = TreeEntry | Tree | Blob | { readonly told: string };

/** Of all that is kept, and of one answer. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BYTES_OF_ONE = 256 * 1024;

/** What an object of V8 takes beside its text. */
const BESIDE = 200;

/**
 * Reads of what no hash can ever mean otherwise: what was small is told again without starting a program, for as long as
 * its repository is there. What was not found is asked for anew.
 */
export function remembering(layout: Pick<Layout, 'existing'>, asked: Reads): Reads {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES_OF_ONE,
    sizeCalculation: (answer, key) => key.length + bytesOf(answer),
  });

  async function once<T extends Kept>(
    key: string,
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = kept.get(key) as T | undefined;
    if (known) return known;
    const answer = await ask();
    if (answer) kept.set(key, answer);
    return answer;
  }

  /** As `once`, of several things together: what is not kept is asked for, and nobody where all is. */
  async function eachOnce<T extends string>(
    of: string,
    names: readonly string[],
    ask: (unknown: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<Map<string, T>> {
    const told = new Map<string, T>();
    for (const name of names) {
      const known = kept.get(`${of} ${name}`) as { readonly told: T } | undefined;
      if (known) told.set(name, known.told);
    }
    const unknown = names.filter((name) => !told.has(name));
    if (unknown.length === 0) return told;
    for (const [name, answer] of await ask(unknown)) {
      kept.set(`${of} ${name}`, { told: answer });
      told.set(name, answer);
    }
    return told;
  }

  return {
    async entry(id, commit, path) {
      await layout.existing(id);
      return await once(`entry ${id} ${commit} ${path}`, () => asked.entry(id, commit, path));
    },

    async tree(id, hash, options = {}) {
      await layout.existing(id);
      const { recursive = false, offset = 0, limit = Infinity } = options;
      const key = `tree ${id} ${hash} ${recursive} ${offset} ${limit}`;
      return await once(key, () => asked.tree(id, hash, options));
    },

    async blob(id, hash, maxBytes) {
      await layout.existing(id);
      return await once(`blob ${id} ${hash} ${maxBytes}`, () => asked.blob(id, hash, maxBytes));
    },

    async types(id, hashes) {
      await layout.existing(id);
      return await eachOnce(`type ${id}`, hashes, (unknown) => asked.types(id, unknown));
    },

    async lastCommits(id, commit, paths) {
      await layout.existing(id);
      return await eachOnce(`last ${id} ${commit}`, paths, (unknown) =>
        asked.lastCommits(id, commit, unknown),
      );
    },
  };
}

function bytesOf(answer: Kept): number {
  if ('entries' in answer)
    return answer.entries.reduce((bytes, { path }) => bytes + path.length + BESIDE, BESIDE);
  if ('content' in answer) return (answer.content?.length ?? 0) + BESIDE;
  return BESIDE + ('path' in answer ? answer.path.length : 0);
}
