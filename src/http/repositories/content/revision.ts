import type { Aggregate } from '../../../commands/aggregates.js';
import { notFound } from '../../../domain/errors.js';
import { BRANCHES } from '../../../domain/repositories/refs.js';
import type { RepositoryState } from '../../../domain/repositories/repository.js';
import { isHash, type Hash } from '../../../git/port/hash.js';
import type { Revision } from '../../../git/port/refs.js';
import { findBranchOrTag, findRef, type NamedRefRow } from '../../../queries/repositories/refs.js';
import type { Actions } from '../../actions.js';
import { untilShown } from '../../moment.js';
import type { RepositoryRequest } from '../place.js';

/** The commit that a word names, and how addresses name it. */
export interface Named extends Revision {
  /** The word itself, or the default branch if it was empty. */
  readonly word: string;
}

/**
 * Finds the commit of a revision: a branch, else a tag, else a full or unique abbreviated hash, else `HEAD` or the full
 * name of a branch or tag. Steps of git may follow, such as `main~2` or `v1^{commit}`. Empty text stands for the default
 * branch. Names are read from the read model of the log, not from disk. Throws 404 if there is no such commit.
 */
export async function revisionAt(request: RepositoryRequest, asked: string): Promise<Named> {
  const word = asked || request.parent.repository.default_branch;
  const found = await find(request, word);
  if (!found) throw revisionAbsent();
  return { ...found, word };
}

/**
 * Finds the commit that something new begins at, as `revisionAt` does, once the read models show all that the log has of
 * the repository: what begins at a branch begins where that is now. Throws 503 if they are late.
 */
export async function beginningAt(
  request: RepositoryRequest,
  { state, position }: Aggregate<RepositoryState>,
  asked: string,
): Promise<Hash> {
  await untilShown(request.services, position);
  return (await revisionAt(request, asked || state.settings.defaultBranch)).hash;
}

/**
 * Finds the commit of a revision, as `revisionAt` does. If `rev` is the revision, a full hash, then it names its commit
 * even where a branch or tag has that name.
 */
export async function lockedRevisionAt(
  request: RepositoryRequest,
  asked: string,
  rev?: string,
): Promise<Named> {
  if (rev !== asked || !isHash(rev)) return revisionAt(request, asked);
  const found = await findCommit(request, asked);
  if (!found) throw revisionAbsent();
  return found;
}

/** Finds the commit of a full hash; undefined if there is none, or if `hash` is no hash. */
export async function findCommit(
  { services, parent }: RepositoryRequest,
  hash: string,
): Promise<Named | undefined> {
  if (!isHash(hash.toLowerCase())) return undefined;
  const found = await commitAt(services, parent.repository.id, hash);
  return found && { ...found, word: hash };
}

/** Makes the 404 for a revision that is no branch, tag or commit. */
export const revisionAbsent = () => notFound('revision.absent', 'no such branch, tag or commit');

/** Splits a revision from its steps; no name holds the characters that steps begin with. */
const WITH_STEPS = /^([^~^]+)([~^].*)$/s;

async function find(request: RepositoryRequest, word: string): Promise<Revision | undefined> {
  const { services, parent } = request;
  const { id, is_empty } = parent.repository;
  if (is_empty) return undefined;
  const [, start, steps] = WITH_STEPS.exec(word) ?? [];
  if (start === undefined || steps === undefined) return findNamed(request, word);
  const from = await findNamed(request, start);
  const hash = from && (await services.git.follow(id, from.hash, steps));
  return hash === undefined ? undefined : { kind: 'commit', hash };
}

async function findNamed(request: RepositoryRequest, word: string): Promise<Revision | undefined> {
  const { db, services, parent } = request;
  const { id } = parent.repository;
  const ref = await findBranchOrTag(db, id, word);
  if (ref) return revisionOf(services, id, ref);
  const commit = await commitAt(services, id, word);
  if (commit) return commit;
  const name = fullName(request, word);
  const meant = name === undefined ? undefined : await findRef(db, id, name);
  const found = meant && (await revisionOf(services, id, meant));
  return found && { kind: 'commit', hash: found.hash };
}

/** Returns the full name that git would take a word for if nothing has the word itself as its name. */
function fullName({ parent }: RepositoryRequest, word: string): string | undefined {
  if (word === 'HEAD') return BRANCHES + parent.repository.default_branch;
  const [, name] = /^(?:refs\/)?((?:heads|tags)\/.+)$/s.exec(word) ?? [];
  return name === undefined ? undefined : `refs/${name}`;
}

/** Finds the commit that a branch or tag leads to; undefined if it leads to none. */
export async function revisionOf(
  services: RepositoryRequest['services'],
  id: number,
  { kind, name, hash, commit_hash }: NamedRefRow,
): Promise<Revision | undefined> {
  if (commit_hash !== null) return { kind, ref: name, hash: commit_hash };
  const commit = await commitAt(services, id, hash);
  return commit && { kind, ref: name, hash: commit.hash };
}

/** Finds the commit of a full or short hash, or of an annotated tag's; of a full one even if a branch has that name. */
async function commitAt(
  { git }: Pick<Actions['services'], 'git'>,
  id: number,
  word: Hash,
): Promise<Revision | undefined> {
  const text = word.toLowerCase();
  if (!/^[0-9a-f]{4,40}$/.test(text)) return undefined;
  if (isHash(text)) {
    const hash = await git.follow(id, text, '^{commit}');
    return hash === undefined ? undefined : { kind: 'commit', hash };
  }
  const found = await git.resolve(id, text);
  return found?.kind === 'commit' ? found : undefined;
}
