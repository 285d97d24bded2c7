import { firstDefaultBranch, isRefName, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RollingServices } from './roll-forward.js';

/**
 * Returns the bytes that a repository gains by moving refs, apart from objects. They are reserved as well, so that not
 * even the name of a ref exceeds a limit.
 */
export async function refsGrowth(
  { commands, git }: Pick<RollingServices, 'commands' | 'git'>,
  repositoryId: number,
  changes: readonly RefChange[],
): Promise<bigint> {
  const { refs, settings } = (await commands.load(Repository, repositoryId)).state;
  const named = changes.filter(({ ref }) => isRefName(ref));
  const head = firstDefaultBranch(refs, named) ?? settings.defaultBranch;
  const longer = Buffer.byteLength(head) - Buffer.byteLength(settings.defaultBranch);
  return (await git.growth(repositoryId, named)) + BigInt(Math.max(0, longer));
}
