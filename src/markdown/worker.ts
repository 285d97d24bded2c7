import { setPriority } from 'node:os';
import type { MarkdownJob } from './job.js';
import { render } from './render.js';

/** A text for a worker, and where it notes when it began. */
export interface TimedJob {
  readonly job: MarkdownJob;
  /** Shared: when the worker began, by `process.hrtime`; 0 before. */
  readonly begun: BigInt64Array;
}

/*
 * Where a number names a thread as well as a process, as on Linux, 0 is this thread alone: other requests come before
 * texts that are being rendered.
 */
setPriority(0, 5);

/** Characters. The context of a text stands before each of its links: what is sent may be a fraction of what comes of it. */
const LONGEST = 24 * 1024 * 1024;

/** What a worker of the pool does: the HTML of the text, undefined where that is too long to be answered. */
export default ({ job, begun }: TimedJob): string | undefined => {
  Atomics.store(begun, 0, process.hrtime.bigint());
  const html = render(job);
  return html.length > LONGEST ? undefined : html;
};
