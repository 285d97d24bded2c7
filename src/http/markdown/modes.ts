import { invalid } from '../../domain/errors.js';
import type { MarkdownMode } from '../../markdown/job.js';

const MODES: readonly string[] = ['markdown', 'gfm', 'comment'] satisfies MarkdownMode[];

const isMode = (word: string): word is MarkdownMode => MODES.includes(word);

/** The endings of the names of files in markdown. */
const ENDINGS = ['.md', '.markdown', '.mdown', '.mkd', '.livemd'];

/** Returns the mode of a MarkdownOption; an unknown word stands for `markdown`. */
export const markdownMode = (word = ''): MarkdownMode => (isMode(word) ? word : 'markdown');

/**
 * Returns the mode of a MarkupOption; that of a `file` is a document's. Throws 422 for an unknown word, and for a file
 * whose name does not end as that of one in markdown.
 */
export function markupMode(word = '', file = ''): MarkdownMode {
  if (word === '' || isMode(word)) return markdownMode(word);
  if (word !== 'file') throw invalid('markup.mode', 'Mode', `must be ${MODES.join(', ')} or file`);
  const name = file.toLowerCase();
  if (ENDINGS.some((ending) => name.endsWith(ending))) return 'gfm';
  throw invalid('markup.file', 'FilePath', `must end in ${ENDINGS.join(', ')}`);
}
