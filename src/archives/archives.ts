import { setMaxListeners } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Places } from '../concurrency/places.js';
import { Slots } from '../concurrency/slots.js';
import { DomainError } from '../domain/errors.js';
import type { Git } from '../git/git.js';
import { unlessGone } from '../files/presence.js';
import { Shares } from '../git/shares.js';
import { fileNameOf, type ArchiveKey } from './archive.js';
import { Folder } from './folder.js';
import { GrowingFile } from './growing-file.js';

/** A range of bytes, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An archive, in the cache or still being made. If making it fails, `whole` rejects and its streams are destroyed. */
export interface Archive {
  /** Unique to these bytes; serves as an entity tag. */
  readonly tag: string;
  /** In bytes; undefined while the archive is being made. */
  readonly size: number | undefined;
  /** Waits until the archive is complete. */
  whole(): Promise<Archive & { readonly size: number }>;
  /** Reads the whole archive, as far as it exists and as it grows; or a range of a complete one. */
  read(span?: Span): Promise<Readable>;
}

/** What archives are made with. They are kept in `dataDir`, in `cache/archives`. */
export interface ArchivesOptions {
  readonly git: Pick<Git, 'archive' | 'bundle'>;
  readonly dataDir: string;
  /** The maximum size of the cache, and of one archive. */
  readonly maxBytes: bigint;
}

const MAX_FILES = 5_000;
const READ_AHEAD = 64 * 1024;
const MADE_AT_ONCE = 2;
/** How many archives may be in progress, waiting ones included; those of one client are made one at a time. */
const MOST = { inAll: MADE_AT_ONCE + 50, ofOneClient: 10 };

/**
 * The archives of commits, cached on disk by everything that their bytes depend on, so that each is made once and stays
 * identical. Requests for an archive in progress read it as it grows.
 */
export class Archives {
  readonly #git: ArchivesOptions['git'];
  readonly #folder: Folder;
  readonly #shares = new Shares(1, new Slots(MADE_AT_ONCE));
  readonly #places = new Places(MOST);
  readonly #making = new Map<string, Promise<Making>>();
  readonly #closed = new AbortController();

  constructor({ git, dataDir, maxBytes }: ArchivesOptions) {
    this.#git = git;
    this.#folder = new Folder(join(dataDir, 'cache', 'archives'), {
      maxBytes: Number(maxBytes),
      maxFiles: MAX_FILES,
    });
    setMaxListeners(0, this.#closed.signal); // as many listeners as there are waiting requests
  }

  /**
   * Opens an archive on behalf of a client, so that clients with slow requests leave places to others. Throws 429 if too
   * many requests, or too many of this client, are waiting.
   */
  async open(key: ArchiveKey, client: string): Promise<Archive> {
    const name = fileNameOf(key);
    const size = this.#making.has(name) ? undefined : await this.#folder.use(name);
    if (size !== undefined) return this.#kept(key, name, size, client);
    const { file, kept } = await (this.#making.get(name) ?? this.#make(key, name, client));
    const whole = async () => this.#kept(key, name, await kept, client);
    const read = async (span?: Span) =>
      (span === undefined ? file.read() : undefined) ?? (await whole()).read(span);
    return { tag: name, size: undefined, whole, read };
  }

  /** Removes the cached archives of a repository. */
  forget(repositoryId: number): Promise<void> {
    return this.#folder.removeAll(`${repositoryId}-`);
  }

  /** Aborts all archives in progress. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('the server stops'));
    await Promise.allSettled([...this.#making.values()].map(async (making) => (await making).kept));
  }

  #kept(key: ArchiveKey, name: string, size: number, client: string): Archive & { readonly size: number } {
    const archive = {
      tag: name,
      size,
      whole: () => Promise.resolve(archive),
      read: async (span?: Span): Promise<Readable> => {
        const file = await unlessGone(open(this.#folder.pathOf(name)));
        if (file) return file.createReadStream({ ...span, highWaterMark: READ_AHEAD });
        const again = await (await this.open(key, client)).whole(); // the file has been removed meanwhile
        return again.read(span);
      },
    };
    return archive;
  }

  /** Makes an archive when it is its turn; resolves with the first bytes. */
  #make(key: ArchiveKey, name: string, client: string): Promise<Making> {
    const leave = this.#places.take(client);
    if (!leave)
      throw new DomainError('too-many', 'archive.busy', 'too many archives are being made: try again later');
    const forget = () => {
      this.#making.delete(name);
      leave();
    };
    const making = this.#begin(key, name, client);
    this.#making.set(name, making);
    making.then(({ kept }) => kept).then(forget, forget);
    return making;
  }

  async #begin(key: ArchiveKey, name: string, client: string): Promise<Making> {
    const release = await this.#shares.take(client, this.#closed.signal); // keeps the order of a client's requests
    try {
      const { file, kept } = await this.#write(key, name);
      return { file, kept: kept.finally(release) };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Writes an archive; resolves with the first bytes. If it fails, its file is removed. */
  async #write(key: ArchiveKey, name: string): Promise<Making> {
    const path = await this.#folder.unfinished(name);
    const failed = async (error: unknown) => {
      await rm(path, { force: true });
      throw error;
    };
    try {
      const limits = { maxBytes: this.#folder.limits.maxBytes, signal: this.#closed.signal };
      const file = await GrowingFile.create(path, () => this.#source(key), limits);
      await file.begun;
      return { file, kept: this.#keep(file, path, name).catch(failed) };
    } catch (error) {
      return failed(error);
    }
  }

  async #keep(file: GrowingFile, path: string, name: string): Promise<number> {
    const size = await file.written;
    await rename(path, this.#folder.pathOf(name));
    await this.#folder.trim();
    return size;
  }

  #source({ repositoryId, commit, format, root }: ArchiveKey): Promise<Readable> {
    return format === 'bundle'
      ? this.#git.bundle(repositoryId, commit, root)
      : this.#git.archive(repositoryId, commit, format, root);
  }
}

/** An archive in progress. */
interface Making {
  readonly file: GrowingFile;
  /** Its size, once it is in the cache. */
  readonly kept: Promise<number>;
}
