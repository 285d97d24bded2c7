import { LRUCache } from 'lru-cache';
import { eachOnce } from '../values/each-once.js';
import { unpooled } from '../values/unpooled.js';
import type { Layout } from './disk/layout.js';
import type { Hash } from './port/hash.js';
import type { History } from './port/history.js';
import type { Blob, Objects, Tree, TreeEntry } from './port/objects.js';

type Reads = Pick<Objects, 'entry' | 'entries' | 'tree' | 'blob' | 'blobs' | 'types'> &
  Pick<History, 'lastCommits' | 'committedAt'>;

type Kept = string | TreeEntry | Tree | Blob;

/** The maximum size of the cache, and of one cached answer. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BYTES_OF_ONE = 256 * 1024;

/** The estimated size of a JavaScript object besides its text. */
const BESIDE = 200;

/**
 * Wraps reads by hash, whose results never change, with a cache. Small answers are cached and given for as long as the
 * repository exists; objects that were not found are asked for again.
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

  const entryKey = (id: number, commit: Hash, path: string) => `entry ${id} ${commit} ${path}`;
  const blobKey = (id: number, hash: Hash, maxBytes: number) => `blob ${id} ${hash} ${maxBytes}`;

  return {
    async entry(id, commit, path) {
      await layout.existing(id);
      return await once(entryKey(id, commit, path), () => asked.entry(id, commit, path));
    },

    async entries(id, commit, paths) {
      await layout.existing(id);
      return await eachOnce(
        kept,
        paths.filter((path) => path !== ''), // the root, which `entry` alone tells
        (path) => entryKey(id, commit, path),
        (unknown) => asked.entries(id, commit, unknown),
      );
    },

    async tree(id, hash, options = {}) {
      await layout.existing(id);
      const { recursive = false, offset = 0, limit = Infinity } = options;
      const key = `tree ${id} ${hash} ${recursive} ${offset} ${limit}`;
      return await once(key, () => asked.tree(id, hash, options));
    },

    async blob(id, hash, maxBytes) {
      await layout.existing(id);
      return await once(blobKey(id, hash, maxBytes), async () => {
        const blob = await asked.blob(id, hash, maxBytes);
        return blob && alone(blob);
      });
    },

    async blobs(id, hashes, maxBytes) {
      await layout.existing(id);
      return await eachOnce(
        kept,
        hashes,
        (hash) => blobKey(id, hash, maxBytes),
        async (unknown) => {
          const blobs = await asked.blobs(id, unknown, maxBytes);
          return new Map(Array.from(blobs, ([hash, blob]) => [hash, alone(blob)]));
        },
      );
    },

    async types(id, hashes) {
      await layout.existing(id);
      return await eachOnce(
        kept,
        hashes,
        (hash) => `type ${id} ${hash}`,
        (unknown) => asked.types(id, unknown),
      );
    },

    async lastCommits(id, commit, paths) {
      await layout.existing(id);
      return await eachOnce(
        kept,
        paths,
        (path) => `last ${id} ${commit} ${path}`,
        (unknown) => asked.lastCommits(id, commit, unknown),
      );
    },

    async committedAt(id, hashes) {
      await layout.existing(id);
      return await eachOnce(
        kept,
        hashes,
        (hash) => `time ${id} ${hash}`,
        (unknown) => asked.committedAt(id, unknown),
      );
    },
  };
}

/** Returns the blob without the memory that its content came in. */
const alone = (blob: Blob): Blob => (blob.content ? { ...blob, content: unpooled(blob.content) } : blob);

function bytesOf(answer: Kept): number {
  if (typeof answer === 'string') return answer.length + BESIDE;
  if ('entries' in answer)
    return answer.entries.reduce((bytes, { path }) => bytes + path.length + BESIDE, BESIDE);
  if ('content' in answer) return (answer.content?.length ?? 0) + BESIDE;
  return answer.path.length + BESIDE;
}
