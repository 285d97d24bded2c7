import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DomainError, invalid } from '../domain/errors.js';
import { Places } from '../concurrency/places.js';
import { Slots } from '../concurrency/slots.js';
import { recentlyUsed } from '../values/recently-used.js';
import type { EditorConfigProperties } from './properties.js';

/** The maximum size of a file; a larger one counts as absent. */
export const MAX_EDITORCONFIG_BYTES = 8 * 1024 * 1024;

const REMEMBERED = 5_000;
/** How many requests may be in progress, the waiting ones included; each holds its file. */
const MOST = { inAll: 100, ofOneClient: 10 };
const MEMORY_MB = 96;

/** A file, by its hash, and the client that asks for it: clients whose requests wait take turns. */
interface AskedFile {
  readonly hash: string;
  readonly contents: Buffer;
  readonly client: string;
}

/** Limits of evaluating a file; beyond them it is refused with 422. */
export interface EditorConfigLimits {
  /** The maximum time for one file, in milliseconds. */
  readonly deadline: number;
}

/**
 * Evaluates `.editorconfig` files of repositories: one at a time, in a thread with bounded time and memory, because their
 * content is untrusted. Results are cached by the hash of the file.
 */
export class EditorConfigs {
  readonly #turns = new Slots(1);
  readonly #known = recentlyUsed<string, EditorConfigProperties>(REMEMBERED);
  readonly #places = new Places(MOST);
  #worker: Promise<Worker> | undefined;

  constructor(private readonly limits: EditorConfigLimits = { deadline: 5_000 }) {}

  /**
   * Returns the properties that a file with this hash gives `path`. Throws 422 if that takes too long, 429 if too many
   * requests wait, in all or of this client.
   */
  async propertiesFor({ hash, contents, client }: AskedFile, path: string): Promise<EditorConfigProperties> {
    const key = `${hash} ${path}`;
    const known = this.#known.get(key);
    if (known) return known;
    const leave = this.#places.take(client);
    if (!leave) throw new DomainError('too-many', 'editorconfig.busy', 'too many files are being evaluated');
    const giveBack = await this.#turns.take(undefined, client);
    try {
      const properties = await this.#evaluate(contents, path);
      this.#known.set(key, properties);
      return properties;
    } finally {
      giveBack();
      leave();
    }
  }

  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  async #evaluate(contents: Buffer, path: string): Promise<EditorConfigProperties> {
    const worker = await this.#ready();
    const answered = once(worker, 'message', { signal: AbortSignal.timeout(this.limits.deadline) });
    worker.ref(); // a pending answer keeps the process alive
    worker.postMessage({ contents, path });
    try {
      const [properties] = (await answered) as [EditorConfigProperties];
      worker.unref();
      return properties;
    } catch {
      this.#worker = undefined;
      await worker.terminate();
      throw invalid('editorconfig.too_hard', 'EditorConfig', 'its patterns take too long to match');
    }
  }

  /** Returns the running thread. The time of its start does not count against a file. */
  async #ready(): Promise<Worker> {
    try {
      return await (this.#worker ??= started());
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }
}

async function started(): Promise<Worker> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.on('error', () => undefined); // the pending request gets the error
  await once(worker, 'message');
  worker.unref();
  return worker;
}
