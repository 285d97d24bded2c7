import type { Logger } from './logger.js';

/** Returns what to call with an error that ends nothing: it is logged with these words. */
export const warning =
  (logger: Logger, words: string) =>
  (error: unknown): void => {
    logger.warn({ err: error }, words);
  };
