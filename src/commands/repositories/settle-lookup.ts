import { Repository } from '../../domain/repositories/repository.js';
import type { Git } from '../../git/git.js';
import { systemCommand } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { SettleLookups } from '../quota/overdue.js';
import type { OverdueReservation } from '../quota/settle-lookup.js';

/** The services for the lookup: the log tells whether a repository exists and who owns it, git measures it. */
export interface LookupServices {
  readonly commands: CommandHandler;
  readonly git: Pick<Git, 'exists' | 'sizeOf'>;
}

/**
 * Returns the lookups for overdue reservations of repositories. The bytes of an existing repository count for its
 * owner, even if no ref leads to them. A creation or transfer that is not complete by then is abandoned and never will
 * be.
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

/** Makes a creation or transfer fail that may still be under way. If it is tried again, it makes another reservation. */
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
