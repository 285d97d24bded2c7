import { Piscina } from 'piscina';
import { Places } from '../concurrency/places.js';
import { Slots } from '../concurrency/slots.js';
import { DomainError } from '../domain/errors.js';
import type { MarkdownJob } from './job.js';
import type { TimedJob } from './worker.js';

/** Limits of rendering; times are in milliseconds. */
export interface RendererOptions {
  /** How long a text may take from when a thread begins with it; 10,000 by default. */
  readonly withinMs?: number;
  /** How long a text may wait for a thread, including the start of one; 60,000 by default. */
  readonly waitMs?: number;
  /** How many texts are rendered at once, each in its own thread; 2 by default. */
  readonly threads?: number;
  /** How many texts may wait; more are refused. 128 by default. Half of the places are for one client at most. */
  readonly waiting?: number;
  /** Receives the error if a text cannot be rendered, and whose request it was; the caller does not get to know it. */
  readonly onFailure?: (error: unknown, requestId?: string) => void;
}

/** Enough for texts of 1 MiB, unless every other word or line of them is markup. */
const MEMORY_MB = 256;

/**
 * Renders texts in worker threads, so that none blocks the event loop. Clients whose texts wait take turns. Rejects with
 * `invalid` if a text takes too long, becomes too long or cannot be rendered, and with `too-many` if too many texts wait,
 * in all or of this client, or this one waits too long.
 */
export class MarkdownRenderer {
  readonly #pool: Piscina<TimedJob, string | undefined>;
  /** One for each thread, so that it is decided here, and not by the pool, whose text is next. */
  readonly #slots: Slots;
  readonly #withinMs: number;
  readonly #waitMs: number;
  readonly #onFailure: (error: unknown, requestId?: string) => void;
  /** One for each text in progress, waiting ones included. */
  readonly #places: Places;

  constructor({
    withinMs = 10_000,
    waitMs = 60_000,
    threads = 2,
    waiting = 128,
    onFailure = () => undefined,
  }: RendererOptions = {}) {
    this.#withinMs = withinMs;
    this.#waitMs = waitMs;
    const inAll = threads + waiting;
    this.#places = new Places({ inAll, ofOneClient: Math.ceil(inAll / 2) });
    this.#slots = new Slots(threads);
    this.#onFailure = onFailure;
    this.#pool = new Piscina<TimedJob, string | undefined>({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // Errors of threads that have no text, such as failing to start. Waiting texts then fail by their timeout.
    this.#pool.on('error', onFailure);
  }

  /**
   * Renders a text as HTML in a thread; a blank one is empty. `client` is who asks: no client takes all places of the queue.
   * Rejects with a `DomainError` if the text fails or takes too long, if its HTML is too long, or if too many texts wait.
   */
  async render(job: MarkdownJob, client: string, requestId?: string): Promise<string> {
    if (job.text.trim() === '') return '';
    const html = await this.#inThread(job, client, requestId);
    if (html === undefined)
      throw new DomainError('invalid', 'markdown.large', 'the HTML of the text would be too long');
    return html;
  }

  async #inThread(job: MarkdownJob, client: string, requestId?: string): Promise<string | undefined> {
    const leave = this.#places.take(client);
    if (!leave) throw busy();
    const begun = new BigInt64Array(new SharedArrayBuffer(8));
    const came = process.hrtime.bigint();
    const limit = new AbortController();
    const look = () => {
      const at = Atomics.load(begun, 0);
      const leftMs = at === 0n ? this.#waitMs - msSince(came) : this.#withinMs - msSince(at);
      if (leftMs > 0) timer = setTimeout(look, Math.min(leftMs, this.#withinMs));
      else limit.abort();
    };
    let timer = setTimeout(look, Math.min(this.#waitMs, this.#withinMs));
    let release: (() => void) | undefined;
    try {
      release = await this.#slots.take(limit.signal, client);
      return await this.#pool.run({ job, begun }, { signal: limit.signal });
    } catch (error) {
      if (!limit.signal.aborted) {
        this.#onFailure(error, requestId);
        throw new DomainError('invalid', 'markdown.failed', 'the text cannot be rendered');
      }
      // If rendering has not begun, the other texts or the slow start of a thread are the reason, not this text.
      if (Atomics.load(begun, 0) === 0n) throw busy();
      throw new DomainError('invalid', 'markdown.slow', 'the text takes too long to render');
    } finally {
      clearTimeout(timer);
      release?.();
      leave();
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

const busy = () => new DomainError('too-many', 'markdown.busy', 'too many texts are being rendered');

const msSince = (moment: bigint) => Number(process.hrtime.bigint() - moment) / 1e6;
