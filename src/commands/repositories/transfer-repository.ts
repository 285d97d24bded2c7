import { Organization } from '../../domain/organizations/organization.js';
import { checkExists } from '../../domain/repositories/lifecycle.js';
import { Repository } from '../../domain/repositories/repository.js';
import { EventStoreUnavailable, later, START, type Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { addTeamRepository } from '../organizations/add-team-repository.js';
import { checkStays } from '../organizations/check-stays.js';
import { unlessGone } from '../unless-refused.js';
import { followVisibility, type EditServices } from './edit-repository.js';
import { repositoryClaimant, repositoryNameClaim } from './repository-claims.js';
import { countStorage, subjectOf, withRefs, type RollingServices } from './roll-forward.js';

/** What transferring takes: besides what rolls refs forward, claims on names, and forks, which its owner may hide. */
export interface TransferServices extends RollingServices, Pick<EditServices, 'forksOf'> {
  readonly claims: Claims;
}

/** A transfer that is to happen now, whether it was offered before or not. */
export interface TransferAsked {
  readonly repositoryId: number;
  /** Whose it is to whoever asks: refused as not found where it went to somebody else meanwhile. */
  readonly ownerId: number;
  readonly recipientId: number;
  /** Teams of the recipient that get the repository. */
  readonly teamIds: readonly number[];
  /** Whether the recipient takes what was offered: refused as not found where it no longer is. */
  readonly isAcceptance?: boolean;
}

/**
 * Gives a repository to another owner, in one append to its stream: its name is claimed and its bytes are reserved
 * there before, teams and forks follow after. Refuses with a conflict where the recipient has a repository of that name or
 * another transfer is under way, and as `QuotaExceeded` where the recipient has no room. The same command again completes
 * what a crash cut off; teams and forks follow by the dispatcher as well.
 */
export async function transferRepository(
  services: TransferServices,
  transfer: TransferAsked,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const claimant = repositoryClaimant(transfer.repositoryId);
  const position = await claiming(services.claims, claimant, context, (own) =>
    transferOnce(services, transfer, own),
  );
  const counted = later(position, await countAgain(services, transfer.repositoryId));
  const follow = step(context, 'follow visibility');
  return { position: await followVisibility(services, transfer.repositoryId, follow, counted) };
}

/** Counts what came into the repository while it was transferred: whoever brought it may have counted before. */
function countAgain(services: TransferServices, repositoryId: number): Promise<Position> {
  return withRefs(services, repositoryId, async () => {
    const { state } = await services.commands.load(Repository, repositoryId);
    return state.status === 'exists' ? (await countStorage(services, repositoryId)).position : START;
  });
}

async function transferOnce(
  services: TransferServices,
  { repositoryId, ownerId, recipientId, teamIds, isAcceptance = false }: TransferAsked,
  context: CommandContext,
): Promise<Position> {
  const { commands, claims } = services;
  const earlier = await commands.repeated(Repository, repositoryId, context);
  const done = earlier?.events.find((event) => event.type === 'RepositoryTransferred')?.data;
  if (earlier && done) {
    const move = { repositoryId, ownerId: done.previousOwnerId, recipientId, teamIds };
    return later(earlier.position, await moveBetweenTeams(services, move, context));
  }
  const { state } = await commands.load(Repository, repositoryId);
  checkExists(state);
  const { name, claimsLost } = state;
  const data = { ownerId, recipientId, teamIds, name, claimsLost, isAcceptance, at: context.at };
  const command = { type: 'Transfer', data } as const;
  Repository.decide(command, state); // most refusals come before anything is claimed

  const held = await claims.find(repositoryNameClaim(ownerId, name), repositoryId);
  const claim = await claims.claim(repositoryNameClaim(recipientId, name), repositoryId, context);
  const position = await orGiveUp(claims, claim, context, async () => {
    await checkStays(commands, recipientId, context);
    return withRoom(services, { repositoryId, ownerId, recipientId }, context, async () => {
      const { position } = await commands.handle(Repository, repositoryId, command, context);
      return position;
    });
  });
  if (held) await claims.release(held, context);
  const teams = await moveBetweenTeams(services, { repositoryId, ownerId, recipientId, teamIds }, context);
  return later(teams, position);
}

/** Runs `work` while the recipient keeps room for the repository, which counts there once it is through. */
async function withRoom(
  { commands, git, storage }: TransferServices,
  { repositoryId, ownerId, recipientId }: { repositoryId: number; ownerId: number; recipientId: number },
  context: CommandContext,
  work: () => Promise<Position>,
): Promise<Position> {
  const { state } = await commands.load(Repository, repositoryId);
  const bytes = await git.sizeOf(repositoryId);
  const wanted = {
    objectId: String(repositoryId),
    subject: subjectOf(state),
    bytes,
    previousOwnerId: ownerId,
  };
  const reservation = await storage.reserve(recipientId, wanted, step(context, 'reserve'));
  const position = await work().catch(async (error: unknown) => {
    // Where the outcome is unknown, whoever settles what is overdue finds out.
    if (!(error instanceof EventStoreUnavailable))
      await storage.release(reservation, step(context, 'release'));
    throw error;
  });
  // Where this fails the room stays kept, until whoever settles what is overdue does it.
  const settled = await storage.settle(reservation, bytes, step(context, 'settle'), { begins: true });
  return later(settled, position);
}

/**
 * The teams of the owner before lose the repository, unless it came back to it; those of the recipient that are named get
 * it, unless it went on.
 */
export async function moveBetweenTeams(
  { commands }: Pick<TransferServices, 'commands'>,
  { repositoryId, ownerId, recipientId, teamIds }: TransferAsked,
  context: CommandContext,
): Promise<Position> {
  const detach = async () => {
    const isOwned = (await commands.load(Repository, repositoryId)).state.ownerId === ownerId;
    return { type: 'DetachRepository', data: { repositoryId, isOwned, at: context.at } } as const;
  };
  let last = (await commands.handle(Organization, ownerId, detach, step(context, 'detach from teams')))
    .position;
  for (const teamId of teamIds) {
    const team = { organizationId: recipientId, teamId, repositoryId };
    const own = step(context, `give to team ${teamId}`);
    // A team that was deleted since it was named gets nothing, and none where the repository went on.
    const given = await unlessGone(addTeamRepository(commands, team, own));
    if (given) last = later(last, given.position);
  }
  return last;
}
