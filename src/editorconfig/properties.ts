import { matcher, type Props } from 'editorconfig';
import { defined } from '../values/defined.js';
import { parsableLines } from './parsable-lines.js';

/** The properties that an `.editorconfig` gives a file; unset ones are absent. */
export interface EditorConfigProperties {
  readonly charset?: string;
  readonly indent_style?: string;
  /** A number as text, or `tab`. */
  readonly indent_size?: string;
  readonly tab_width?: number;
  readonly end_of_line?: string;
  readonly trim_trailing_whitespace?: boolean;
  readonly insert_final_newline?: boolean;
  readonly max_line_length?: number;
}

/** The folder in which the package takes the file to be; it reads nothing there. */
const ROOT = '/root';

/**
 * Computes the properties that `contents` gives the file at `path`, relative to it. Invalid values are left out. A pattern
 * can take forever, so run this only where it can be stopped.
 */
export function propertiesFor(contents: Buffer, path: string): EditorConfigProperties {
  const found = matcher({ root: ROOT, unset: true }, parsableLines(contents))(`${ROOT}/${path}`);
  return defined({
    charset: word(found, 'charset'),
    indent_style: oneOf(found, 'indent_style', ['tab', 'space']),
    indent_size: found.indent_size === 'tab' ? 'tab' : count(found, 'indent_size')?.toString(),
    tab_width: count(found, 'tab_width'),
    end_of_line: oneOf(found, 'end_of_line', ['lf', 'cr', 'crlf']),
    trim_trailing_whitespace: flag(found, 'trim_trailing_whitespace'),
    insert_final_newline: flag(found, 'insert_final_newline'),
    max_line_length: count(found, 'max_line_length'),
  });
}

/** Longer than any name of a character set. A longer value is invalid, and would take room in the cache. */
const LONGEST_WORD = 100;

function word(found: Props, name: string): string | undefined {
  const value = found[name];
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_WORD ? value : undefined;
}

function oneOf(found: Props, name: string, known: readonly string[]): string | undefined {
  const value = word(found, name);
  return value !== undefined && known.includes(value) ? value : undefined;
}

function count(found: Props, name: string): number | undefined {
  const value = found[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function flag(found: Props, name: string): boolean | undefined {
  const value = String(found[name]); // `TRUE` is parsed as text, `true` is not
  return value === 'true' || (value === 'false' ? false : undefined);
}
