import { Repository } from '../../domain/repositories/repository.js';
import type { Git } from '../../git/git.js';
import { systemCommand } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { SettleLookups } from '../quota/overdue.js';
import type { OverdueReservation } from '../quota/settle-lookup.js';

/** What finding out takes: the log says whether a repository exists and whose it is, git what it measures. */
export interface LookupServices {
  readonly commands: CommandHandler;
  readonly git: Pick<Git, 'exists' | 'sizeOf'>;
}

/**
 * What came of work on repositories that reserved storage and was not heard of again. What a repository measures is what
 * its owner stores, refs or no refs. A creation or a transfer that is not through by now never will be.
 */
export function repositoryLookups({ commands, git }: LookupServices): SettleLookups {
  const lookup = async ({ objectId, ...overdue }: OverdueReservation) => {
    const repositoryId = Number(objectId);
    await abandon(commands, repositoryId, overdue);
    const { status, ownerId } = (await commands.load(Repository, repositoryId)).state;
    if (status !== 'exists' || ownerId !== overdue.ownerId) return undefined;
    return (await git.exists(repositoryId)) ? git.sizeOf(repositoryId) : 0n;
  };
  return { 'size:repos:public': lookup, 'size:repos:private': lookup };
}

/** Makes the creation or the transfer fail that may still be under way; one that is begun anew reserves anew. */
async function abandon(
  commands: CommandHandler,
  repositoryId: number,
  { previousOwnerId }: Pick<OverdueReservation, 'previousOwnerId'>,
): Promise<void> {
  const context = systemCommand();
  const isThrough = async () => {
    const { status, ownerId } = (await commands.load(Repository, repositoryId)).state;
    return status !== 'absent' && ownerId !== previousOwnerId;
  };
  if (await isThrough()) return;
  const command = async () =>
    ({ type: 'AbandonClaim', data: { holds: await isThrough(), at: context.at } }) as const;
  await commands.handle(Repository, repositoryId, command, context);
}
