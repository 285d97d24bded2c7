import type { Hash } from '../port/hash.js';
import { GitLimitExceeded } from '../port/errors.js';
import type { Parts } from '../parts.js';
import { NEWLINE, splitRecords } from '../program/records.js';

/**
 * Lists the refs of a repository below these prefixes, with the objects they point to. Rejects with `GitLimitExceeded` if
 * there are more than `most`.
 */
export async function listRefs(
  { program }: Pick<Parts, 'program'>,
  path: string,
  prefixes: readonly string[] = [],
  most = Infinity,
): Promise<Map<string, Hash>> {
  const refs = new Map<string, Hash>();
  const take = (line: Buffer) => {
    refs.set(line.toString('utf8', 41), line.toString('latin1', 0, 40));
    if (refs.size > most) throw new GitLimitExceeded('bytes', `there are more than ${most} refs`);
  };
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes];
  await program.stream(path, args, {}, splitRecords(NEWLINE, take));
  return refs;
}
