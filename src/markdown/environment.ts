import type { MarkdownJob } from './job.js';

/** What the plugins of markdown-it know about the text that is being rendered. */
export interface Environment {
  readonly job: MarkdownJob;
  /** The byte at which each line begins in the text with its front matter. */
  readonly lineOffsets: readonly number[];
  /** Marks the elements that this rendering itself inserts, so that a text cannot forge them. */
  readonly nonce: string;
}

/** Casts the environment that markdown-it passes to rules, which is the one that rendering gave it. */
export const environmentOf = (env: unknown): Environment => env as Environment;
