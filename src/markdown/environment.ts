import type { MarkdownJob } from './job.js';
import type { OwnHtml } from './own-html.js';

/** What the plugins of markdown-it know about the text that is being rendered. */
export interface Environment {
  readonly job: MarkdownJob;
  /** The byte at which each line begins in the text with its front matter. */
  readonly lineOffsets: readonly number[];
  readonly own: OwnHtml;
}

/** Casts the environment that markdown-it passes to rules, which is the one that rendering gave it. */
export const environmentOf = (env: unknown): Environment => env as Environment;
