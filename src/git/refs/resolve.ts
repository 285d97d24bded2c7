import type { Repository } from 'nodegit';
import { isHash, type Hash } from '../port/hash.js';
import type { Revision } from '../port/refs.js';
import { found } from '../nodegit/handles.js';
import { libgit2 } from '../nodegit/libgit2.js';
import { COMMIT } from '../nodegit/numbers.js';
import { infoOf } from '../objects/info.js';
import type { Parts } from '../parts.js';
import { hasRefCharacters } from './characters.js';

/** The maximum length of a ref's name in libgit2. */
const MAX_BYTES = 1000;

/** See `Refs.resolve`. */
export async function resolveRevision(
  parts: Parts,
  path: string,
  revision: string,
): Promise<Revision | undefined> {
  const named = await parts.handles.use(path, (repository) => resolveName(repository, revision));
  return named ?? (await resolveHash(parts, path, revision.toLowerCase()));
}

async function resolveName(repository: Repository, name: string): Promise<Revision | undefined> {
  if (!couldBeRef(name)) return undefined;
  const branch = `refs/heads/${name}`;
  const tip = await found(libgit2().Reference.nameToId(repository, branch));
  if (tip) return { hash: tip.tostrS(), kind: 'branch', ref: branch };
  const tag = `refs/tags/${name}`;
  const reference = await found(libgit2().Reference.lookup(repository, tag));
  const commit = reference && (await found(reference.peel(COMMIT)));
  return commit && { hash: commit.id().tostrS(), kind: 'tag', ref: tag };
}

/** Tells whether libgit2 may look a name up; it would end the name at a NUL. */
const couldBeRef = (name: string) => hasRefCharacters(name) && Buffer.byteLength(name) < MAX_BYTES;

async function resolveHash(parts: Parts, path: string, text: string): Promise<Revision | undefined> {
  if (!/^[0-9a-f]{4,40}$/.test(text)) return undefined;
  const { program } = parts;
  const candidates = isHash(text) ? [text] : await objectsThatBegin(parts, path, text);
  const commits = (await infoOf(program, path, candidates)).filter(({ type }) => type === 'commit');
  const [commit] = commits;
  if (commit && commits.length === 1) return { hash: commit.hash, kind: 'commit' };
  // An annotated tag has a hash as well.
  const tagged = await infoOf(
    program,
    path,
    candidates.map((hash) => `${hash}^{commit}`),
  );
  const [only] = tagged;
  return only && tagged.length === 1 ? { hash: only.hash, kind: 'commit' } : undefined;
}

async function objectsThatBegin({ program }: Parts, path: string, prefix: string): Promise<Hash[]> {
  const { stdout } = await program.run(path, ['rev-parse', `--disambiguate=${prefix}`]);
  return stdout.toString().split('\n').filter(isHash);
}

const STEPS = /^(?:[~^]\d{0,6}|\^\{(?:commit)?\}){1,20}$/;

/** See `Refs.follow`. */
export async function followSteps(
  { program }: Parts,
  path: string,
  from: Hash,
  steps: string,
): Promise<Hash | undefined> {
  if (!STEPS.test(steps)) return undefined;
  const [reached] = await infoOf(program, path, [`${from}${steps}^{commit}`]);
  return reached?.hash;
}
