import { subjectOf } from '../../domain/quota/subjects.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { addTeamRepository } from '../organizations/add-team-repository.js';
import { checkStays } from '../organizations/check-stays.js';
import { detachUnlessOwned } from '../organizations/detach-foreign.js';
import { orUndo } from '../or-undo.js';
import { unlessGone } from '../unless-refused.js';
import { countStorage } from './count-storage.js';
import { followVisibility, type EditServices } from './edit-repository.js';
import { existing } from './existing.js';
import { repositoryClaimant, repositoryNameClaim } from './repository-claims.js';
import { withRefs, type RollingServices } from './roll-forward.js';

/** The services for transferring: in addition to those for refs, claims on names, and forks, which the owner may hide. */
export interface TransferServices extends RollingServices, Pick<EditServices, 'forksOf'> {
  readonly claims: Claims;
}

/** A transfer to carry out now, whether or not it was offered before. */
export interface TransferAsked {
  readonly repositoryId: number;
  /** The owner that the caller expects: refused as not found if the repository has another one by now. */
  readonly ownerId: number;
  readonly recipientId: number;
  /** Teams of the recipient that get the repository. */
  readonly teamIds: readonly number[];
  /** Whether the recipient accepts an offer: refused as not found if there is no offer any more. */
  readonly isAcceptance?: boolean;
}

/**
 * Gives a repository to another owner by one append to its stream. Before that, its name is claimed and its bytes are
 * reserved at the recipient; after it, teams and forks are adapted. Refuses with a conflict if the recipient has a
 * repository of that name or another transfer is under way, and with `QuotaExceeded` if the recipient has no room. The
 * same command, sent again, completes what a crash interrupted; the dispatcher completes teams and forks as well.
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
  const follow = step(context, 'follow visibility');
  return { position: await followVisibility(services, transfer.repositoryId, follow, position) };
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
    const counted = await countMoved(services, move, context);
    return later(later(earlier.position, counted), await moveBetweenTeams(services, move, context));
  }
  const state = await existing(services, repositoryId);
  const { name, claimsLost } = state;
  const data = { ownerId, recipientId, teamIds, name, claimsLost, isAcceptance, at: context.at };
  const command = { type: 'Transfer', data } as const;
  Repository.decide(command, state); // so that most refusals come before anything is claimed

  const held = await claims.find(repositoryNameClaim(ownerId, name), repositoryId);
  const claim = await claims.claim(repositoryNameClaim(recipientId, name), repositoryId, context);
  const position = await orGiveUp(claims, claim, context, async () => {
    await checkStays(commands, recipientId, context);
    const move = { repositoryId, ownerId, recipientId };
    // Refs that move before count in what is measured, and those that move after are charged to the recipient.
    return withRefs(services, repositoryId, () =>
      withRoom(services, move, context, async () => {
        const { position } = await commands.handle(Repository, repositoryId, command, context);
        return position;
      }),
    );
  });
  if (held) await claims.release(held, context);
  const teams = await moveBetweenTeams(services, { repositoryId, ownerId, recipientId, teamIds }, context);
  return later(teams, position);
}

/**
 * Counts the repository for the recipient alone, which a crash right after the transfer has prevented. The reservation of
 * the recipient lapses by itself. Does nothing if the recipient has given the repository away by now.
 */
function countMoved(
  services: TransferServices,
  { repositoryId, ownerId, recipientId }: TransferAsked,
  context: CommandContext,
): Promise<Position> {
  const { commands, storage } = services;
  const objectId = String(repositoryId);
  return withRefs(services, repositoryId, async () => {
    const { state } = await commands.load(Repository, repositoryId);
    if (state.ownerId !== recipientId) return START;
    const forgotten = await storage.forget(ownerId, objectId, step(context, 'forget'), recipientId);
    return later(forgotten, (await countStorage(services, repositoryId, context)).position);
  });
}

/**
 * Runs `work`, the transfer, with room reserved at the recipient. The reservation is settled after it. The caller must hold
 * the repository's lock, so that nobody else measures it meanwhile.
 */
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
  const position = await orUndo([() => storage.release(reservation, step(context, 'release'))], work);
  // If this fails, as after an unknown outcome, the reservation stays until overdue ones are settled.
  const settled = await storage.settle(reservation, bytes, step(context, 'settle'));
  return later(settled, position);
}

/**
 * Takes the repository from the previous owner's teams, unless it came back to that owner, and gives it to the named
 * teams of the recipient, unless it was transferred again.
 */
export async function moveBetweenTeams(
  { commands }: Pick<TransferServices, 'commands'>,
  { repositoryId, ownerId, recipientId, teamIds }: TransferAsked,
  context: CommandContext,
): Promise<Position> {
  let last = await detachUnlessOwned(commands, ownerId, repositoryId, step(context, 'detach from teams'));
  for (const teamId of teamIds) {
    const team = { organizationId: recipientId, teamId, repositoryId };
    const own = step(context, `give to team ${teamId}`);
    // Skips teams that were deleted since they were named, and all of them if the repository was transferred again.
    const given = await unlessGone(addTeamRepository(commands, team, own));
    if (given) last = later(last, given.position);
  }
  return last;
}
