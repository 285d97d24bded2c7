import { v4 } from 'uuid';
import { Repository } from '../../domain/repositories/repository.js';
import type { Git } from '../../git/git.js';
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
 * its owner stores, refs or no refs. A creation that is not through by now never will be.
 */
export function repositoryLookups(services: LookupServices): SettleLookups {
  const lookup = ({ objectId, ownerId }: OverdueReservation) => measured(services, Number(objectId), ownerId);
  return { 'size:repos:public': lookup, 'size:repos:private': lookup };
}

async function measured(
  services: LookupServices,
  repositoryId: number,
  ownerId: number,
): Promise<bigint | undefined> {
  const { commands, git } = services;
  const { state } = await commands.load(Repository, repositoryId);
  if (state.status === 'absent') {
    await abandon(commands, repositoryId);
    return measured(services, repositoryId, ownerId); // it may have come to exist at the last moment
  }
  if (state.status !== 'exists' || state.ownerId !== ownerId) return undefined;
  return (await git.exists(repositoryId)) ? git.sizeOf(repositoryId) : 0n;
}

/** Makes the creation fail that may still be under way. */
async function abandon(commands: CommandHandler, repositoryId: number): Promise<void> {
  const at = new Date().toISOString();
  const command = async () => {
    const { status } = (await commands.load(Repository, repositoryId)).state;
    return { type: 'AbandonClaim', data: { holds: status !== 'absent', at } } as const;
  };
  await commands.handle(Repository, repositoryId, command, { commandId: v4(), at });
}
