import { PassThrough, Readable } from 'node:stream';
import { Repository, type RepositoryState } from '../domain/repositories/repository.js';
import type { EventLog } from '../event-log/event-log.js';
import { foldAsOf } from '../event-log/fold-as-of.js';
import type { Position } from '../event-store/event-store.js';
import { eachOf } from '../concurrency/each-of.js';
import type { Git } from '../git/git.js';
import { GitError } from '../git/port/errors.js';
import type { RunningProgram } from '../git/port/programs.js';
import type { Manifest } from './manifest.js';
import type { SummedFiles } from './summed-files.js';

/** Services for packing: the log tells which commits refs point to, git packs the objects, `files` stores the packs. */
export interface PackServices {
  readonly log: EventLog;
  readonly git: Git;
  readonly files: SummedFiles;
}

/** How far a repository has been packed: up to this position, in this number of packs. */
interface Packed {
  readonly at: Position;
  readonly packs: number;
}

/** The number of packs of a repository, and the commits that its refs pointed to when the last was made. */
interface Known {
  readonly packs: number;
  readonly tips: ReadonlySet<string>;
}

const NOTHING: Known = { packs: 0, tips: new Set() };
const CONCURRENCY = 2;

/** Returns the file name `repositories/{xx}/{id}.{n}.pack`. Each pack may build on those with a lower `n`. */
export const packName = (id: number, nth: number): string =>
  `repositories/${(id % 256).toString(16).padStart(2, '0')}/${id}.${nth}.pack`;

/**
 * Packs the objects of all repositories: exactly those reachable from their refs according to the log, so that nothing git
 * does meanwhile can remove any. A first round packs every repository once; a second, short one adds what changed since.
 * Repositories that did not change in between take no memory.
 */
export class RepositoryPacks {
  /** The position of the first round. All repositories are packed up to it, except those in `#others`. */
  #first: Position | undefined;
  /** Repositories that are not as the first round packs them: with more than that, or undefined if there is no pack yet. */
  readonly #others = new Map<number, Packed | undefined>();
  #count = 0;
  readonly #unreadable = new Map<number, string>();

  constructor(private readonly services: PackServices) {}

  /** The repositories that git cannot read, and the errors. */
  get unreadable(): Manifest['unreadable'] {
    return Array.from(this.#unreadable, ([id, error]) => ({ id, error }));
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Packs these repositories up to a position. Returns those that have been deleted since, whose objects were gone before
   * they could be packed; for these the caller must choose a later position. Rejects if a pack cannot be written.
   */
  async bringTo(ids: Iterable<number>, at: Position): Promise<number[]> {
    this.#first ??= at;
    const gone: number[] = [];
    await eachOf(ids, CONCURRENCY, async (id) => {
      if (!(await this.#bring(id, at))) gone.push(id);
    });
    return gone;
  }

  async #bring(id: number, at: Position): Promise<boolean> {
    const { log } = this.services;
    this.#unreadable.delete(id);
    const { status, refs } = await foldAsOf(log, Repository, id, at);
    const known = await this.#known(id, at);
    if (status !== 'exists') {
      if (known) await this.#drop(id, known);
      return true;
    }
    try {
      const packs = (known?.packs ?? 0) + (await this.#pack(id, tipsOf(refs), known));
      if (at !== this.#first || this.#others.has(id)) this.#others.set(id, { at, packs });
      if (!known) this.#count += 1;
      return true;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (!known) this.#others.set(id, undefined);
      const now = await foldAsOf(log, Repository, id, await log.lastPosition());
      if (now.status !== 'exists') return false;
      this.#unreadable.set(id, error.message);
      return true;
    }
  }

  /** Packs the objects reachable from `tips` and not from the known tips. Returns the number of packs written: 0 or 1. */
  async #pack(id: number, tips: ReadonlySet<string>, known: Known = NOTHING): Promise<0 | 1> {
    const { git, files } = this.services;
    const fresh = [...tips].filter((tip) => !known.tips.has(tip));
    if (fresh.length === 0) {
      if (tips.size === 0 && !(await git.exists(id))) throw new GitError('is not on disk');
      return 0;
    }
    const args = ['pack-objects', '--revs', '--stdout', '--quiet', '--delta-base-offset'];
    const running = await git.start(id, args);
    const objects = printedBy(running);
    const revisions = [...fresh, ...Array.from(known.tips, (tip) => `^${tip}`)].map((line) => `${line}\n`);
    Readable.from(revisions).pipe(running.stdin);
    try {
      await files.write(packName(id, known.packs), objects);
      return 1;
    } finally {
      running.kill();
    }
  }

  /** Looks up what has been packed of a repository that is about to be brought to a position. */
  async #known(id: number, at: Position): Promise<Known | undefined> {
    const { log } = this.services;
    if (this.#others.has(id)) {
      const packed = this.#others.get(id);
      return packed && { ...packed, tips: tipsOf((await foldAsOf(log, Repository, id, packed.at)).refs) };
    }
    if (this.#first === undefined || at === this.#first) return undefined;
    const { status, refs } = await foldAsOf(log, Repository, id, this.#first);
    return status === 'exists' ? { packs: refs.size > 0 ? 1 : 0, tips: tipsOf(refs) } : undefined;
  }

  async #drop(id: number, { packs }: Known): Promise<void> {
    for (let nth = 0; nth < packs; nth++) await this.services.files.drop(packName(id, nth));
    this.#others.set(id, undefined);
    this.#count -= 1;
  }
}

/** Yields the standard output of a program; throws `GitError` at the end if the program fails. */
function printedBy({ stdout, ended }: RunningProgram): AsyncIterable<Buffer> {
  const printed = stdout.pipe(new PassThrough()); // right away: output without a reader is lost when the program ends
  return (async function* () {
    yield* printed as AsyncIterable<Buffer>;
    const { code, stderr } = await ended;
    if (code !== 0) throw new GitError(stderr.trim());
  })();
}

const tipsOf = (refs: RepositoryState['refs']): ReadonlySet<string> => new Set(refs.values());
