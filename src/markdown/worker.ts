import { setPriority } from 'node:os';
import type { MarkdownJob } from './job.js';
import { render } from './render.js';

/** A text for a worker, and the place where the worker notes when it began. */
export interface TimedJob {
  readonly job: MarkdownJob;
  /** Shared memory: the time when the worker began, by `process.hrtime`; 0 until then. */
  readonly begun: BigInt64Array;
}

/*
 * On Linux a process id may also name a thread, and 0 is this thread alone: other requests take precedence over rendering.
 */
setPriority(0, 5);

/**
 * The maximum length of the HTML in characters. It may be many times that of the text, because the base is prefixed to
 * each relative link.
 */
const LONGEST = 24 * 1024 * 1024;

/** The job of a pool's worker: returns the HTML of the text, or undefined if that is too long to be answered. */
export default ({ job, begun }: TimedJob): string | undefined => {
  Atomics.store(begun, 0, process.hrtime.bigint());
  const html = render(job);
  return html.length > LONGEST ? undefined : html;
};
