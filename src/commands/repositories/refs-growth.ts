import { firstDefaultBranch, isRefName, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RollingServices } from './roll-forward.js';

/**
 * The bytes that a repository gains by moving refs, its objects aside: what has to be reserved besides them, so that not
 * even a name goes over a limit.
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
