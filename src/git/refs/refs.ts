import type { Hash } from '../port/hash.js';
import type { Refs } from '../port/refs.js';
import type { Parts } from '../parts.js';
import { NEWLINE, splitRecords } from '../program/records.js';
import { prepare } from './prepare.js';
import { followSteps, resolveRevision } from './resolve.js';

/** The refs of repositories on disk; they change in prepared transactions only. */
export function refsOf(parts: Parts): Refs {
  const { layout, program } = parts;
  return {
    async refs(id) {
      return await listRefs(parts, await layout.existing(id));
    },
    async prepareRefs(id, changes) {
      return await prepare(program, await layout.existing(id), changes);
    },
    async resolve(id, revision) {
      return await resolveRevision(parts, await layout.existing(id), revision);
    },
    async follow(id, from, steps) {
      return await followSteps(parts, await layout.existing(id), from, steps);
    },
  };
}

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
