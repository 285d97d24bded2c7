import { LRUCache } from 'lru-cache';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';

/** The length of a line of `rev-list`: a hash and a newline. */
const LINE_BYTES = 41;

/** A page of `rev-list`'s output: `limit` commits after the first `offset`. */
export interface Walk {
  /** The arguments of `rev-list`. They must contain hashes and no refs, so that the result can be cached. */
  readonly args: readonly string[];
  readonly offset: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

interface Page {
  readonly hashes: readonly Hash[];
  readonly total: number;
}

/** The size limit of the cache of pages. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads pages of commits, newest first, with their total number, and caches them. */
export class Walks {
  readonly #totals = new LRUCache<string, number>({ max: 1000 });
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ hashes }, key) => key.length + hashes.length * LINE_BYTES,
  });

  constructor(private readonly program: GitProgram) {}

  /** Returns a page. The first call for some arguments walks the whole history, to count; later ones stop after the page. */
  async page(path: string, { args, offset, limit, signal }: Walk): Promise<Page> {
    const walk = [path, ...args].join('\0');
    const key = `${walk}\0${offset}\0${limit}`;
    const page = this.#pages.get(key) ?? (await this.#read(path, walk, { args, offset, limit, signal }));
    this.#pages.set(key, page);
    return page;
  }

  async #read(path: string, walk: string, { args, offset, limit, signal }: Walk): Promise<Page> {
    const known = this.#totals.get(walk);
    if (known !== undefined && offset >= known) return { hashes: [], total: known };
    const window = { from: offset * LINE_BYTES, to: (offset + limit) * LINE_BYTES };
    const pieces: Buffer[] = [];
    let bytes = 0;
    await this.program.stream(path, ['rev-list', ...args], signal ? { signal } : {}, (chunk) => {
      const [from, to] = [Math.max(window.from - bytes, 0), Math.max(window.to - bytes, 0)];
      if (from < chunk.length && to > 0) pieces.push(Buffer.from(chunk.subarray(from, to)));
      bytes += chunk.length;
      return known !== undefined && bytes >= window.to ? 'enough' : undefined;
    });
    const total = known ?? bytes / LINE_BYTES;
    this.#totals.set(walk, total);
    const hashes = Buffer.concat(pieces).toString('latin1').split('\n').filter(Boolean);
    return { hashes, total };
  }
}
