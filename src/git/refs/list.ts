import type { Hash } from '../port/hash.js';
import type { Parts } from '../parts.js';
import { NEWLINE, splitRecords } from '../program/records.js';

/** The refs of a repository whose names begin so, and what each names. */
export async function listRefs(
  { program }: Pick<Parts, 'program'>,
  path: string,
  prefixes: readonly string[] = [],
): Promise<Map<string, Hash>> {
  const refs = new Map<string, Hash>();
  const take = (line: Buffer) => refs.set(line.toString('utf8', 41), line.toString('latin1', 0, 40));
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes];
  await program.stream(path, args, {}, splitRecords(NEWLINE, take));
  return refs;
}
