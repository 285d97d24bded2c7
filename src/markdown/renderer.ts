import { Piscina } from 'piscina';
import { DomainError } from '../domain/errors.js';
import type { MarkdownJob } from './job.js';

export interface RendererOptions {
  /** How long one text may take, a thread's start included; 10,000 by default: an innocent one on a busy machine is in time. */
  readonly withinMs?: number;
  /** The texts rendered at once, each in a thread of its own; 2 by default. */
  readonly threads?: number;
  /** The texts that wait; more are refused. 64 by default. */
  readonly waiting?: number;
}

/**
 * Renders in threads beside the event loop, so that no text slows another request. Rejects with `invalid` where a text
 * takes too long, or cannot be rendered, and with `too-many` where too many wait.
 */
export class MarkdownRenderer {
  readonly #pool: Piscina<MarkdownJob, string>;
  readonly #withinMs: number;
  readonly #most: number;
  #taken = 0;

  constructor({ withinMs = 10_000, threads = 2, waiting = 64 }: RendererOptions = {}) {
    this.#withinMs = withinMs;
    this.#most = threads + waiting;
    this.#pool = new Piscina<MarkdownJob, string>({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
  }

  async render(job: MarkdownJob): Promise<string> {
    if (job.text.trim() === '') return '';
    if (this.#taken === this.#most)
      throw new DomainError('too-many', 'markdown.busy', 'too many texts are being rendered');
    this.#taken += 1;
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
    }, this.#withinMs);
    try {
      return await this.#pool.run(job, { signal: limit.signal });
    } catch {
      if (limit.signal.aborted)
        throw new DomainError('invalid', 'markdown.slow', 'the text takes too long to render');
      throw new DomainError('invalid', 'markdown.failed', 'the text cannot be rendered');
    } finally {
      clearTimeout(timer);
      this.#taken -= 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
