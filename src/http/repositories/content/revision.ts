import { notFound } from '../../../domain/errors.js';
import type { Hash } from '../../../git/port/hash.js';
import type { Revision } from '../../../git/port/refs.js';
import { findBranchOrTag } from '../../../queries/repositories/branches.js';
import type { Actions } from '../../actions.js';
import type { RepositoryMet } from '../place.js';

type Request = Pick<Actions, 'db' | 'services'> & { readonly parent: RepositoryMet };

/** What a caller's word means, as it is told apart in addresses. */
export interface Named extends Revision {
  /** The word itself, or the default branch where there was none. */
  readonly word: string;
}

/**
 * The commit that a branch, else a tag, else a full or unique short hash names; empty text is the default branch. Names
 * come from the log's read model, not from the disk. 404 where there is no such thing.
 */
export async function revisionAt(request: Request, asked: string): Promise<Named> {
  const word = asked || request.parent.repository.default_branch;
  const found = await find(request, word);
  if (!found) throw revisionAbsent();
  return { ...found, word };
}

export const revisionAbsent = () => notFound('revision.absent', 'no such branch, tag or commit');

async function find({ db, services, parent }: Request, word: string): Promise<Revision | undefined> {
  const { id, is_empty } = parent.repository;
  if (is_empty) return undefined;
  const ref = await findBranchOrTag(db, id, word);
  if (!ref) return commitAt(services, id, word);
  const { kind, name, hash } = ref;
  if (kind === 'branch') return { kind, ref: name, hash };
  const commit = await commitAt(services, id, hash);
  return commit && { kind, ref: name, hash: commit.hash };
}

/** The commit of a hash, full or short, or of the hash of an annotated tag. */
async function commitAt(
  { git }: Pick<Actions['services'], 'git'>,
  id: number,
  word: Hash,
): Promise<Revision | undefined> {
  if (!/^[0-9a-f]{4,40}$/i.test(word)) return undefined;
  const found = await git.resolve(id, word.toLowerCase());
  return found?.kind === 'commit' ? found : undefined;
}
