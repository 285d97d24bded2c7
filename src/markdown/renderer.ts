import { Piscina } from 'piscina';
import { DomainError } from '../domain/errors.js';
import type { MarkdownJob } from './job.js';
import type { TimedJob } from './worker.js';

/** Limits of rendering; times are milliseconds. */
export interface RendererOptions {
  /** How long one text may take once a thread is at it; 10,000 by default. */
  readonly withinMs?: number;
  /** How long it may wait for that, a thread's start included; 60,000 by default. */
  readonly waitMs?: number;
  /** The texts rendered at once, each in a thread of its own; 2 by default. */
  readonly threads?: number;
  /** The texts that wait; more are refused. 64 by default. */
  readonly waiting?: number;
  /** Told why a text could not be rendered; whoever sent it is not. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Renders in threads beside the event loop, so that no text slows another request. Rejects with `invalid` where a text
 * takes too long, becomes too long, or cannot be rendered, and with `too-many` where too many wait, or one waits too long.
 */
export class MarkdownRenderer {
  readonly #pool: Piscina<TimedJob, string | undefined>;
  readonly #withinMs: number;
  readonly #waitMs: number;
  readonly #most: number;
  readonly #onFailure: (error: unknown) => void;
  #taken = 0;

  constructor({
    withinMs = 10_000,
    waitMs = 60_000,
    threads = 2,
    waiting = 64,
    onFailure = () => undefined,
  }: RendererOptions = {}) {
    this.#withinMs = withinMs;
    this.#waitMs = waitMs;
    this.#most = threads + waiting;
    this.#onFailure = onFailure;
    this.#pool = new Piscina<TimedJob, string | undefined>({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    // Of a thread that fails without a text, such as one that cannot start. Those who wait learn it when their time is over.
    this.#pool.on('error', onFailure);
  }

  async render(job: MarkdownJob): Promise<string> {
    if (job.text.trim() === '') return '';
    const html = await this.#inThread(job);
    if (html === undefined)
      throw new DomainError('invalid', 'markdown.large', 'the HTML of the text would be too long');
    return html;
  }

  async #inThread(job: MarkdownJob): Promise<string | undefined> {
    if (this.#taken === this.#most) throw busy();
    this.#taken += 1;
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
    try {
      return await this.#pool.run({ job, begun }, { signal: limit.signal });
    } catch (error) {
      if (!limit.signal.aborted) {
        this.#onFailure(error);
        throw new DomainError('invalid', 'markdown.failed', 'the text cannot be rendered');
      }
      // What others held up, or a thread that was slow to start, is no fault of the text.
      if (Atomics.load(begun, 0) === 0n) throw busy();
      throw new DomainError('invalid', 'markdown.slow', 'the text takes too long to render');
    } finally {
      clearTimeout(timer);
      this.#taken -= 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

const busy = () => new DomainError('too-many', 'markdown.busy', 'too many texts are being rendered');

const msSince = (moment: bigint) => Number(process.hrtime.bigint() - moment) / 1e6;
