import type { MarkdownJob } from './job.js';

/** What plugins know of the text that they work on. */
export interface Environment {
  readonly job: MarkdownJob;
  /** Of the text with its front matter. */
  readonly lineOffsets: readonly number[];
  /** Marks what this rendering itself puts in, so that a text cannot forge it. */
  readonly nonce: string;
}

/** What markdown-it hands to rules, which is what the text is rendered with. */
export const environmentOf = (env: unknown): Environment => env as Environment;
