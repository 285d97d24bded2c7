import type { MarkdownJob } from './job.js';
import { render } from './render.js';

/** What a worker of the pool does. */
export default (job: MarkdownJob): string => render(job);
