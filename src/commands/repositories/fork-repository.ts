import { conflict } from '../../domain/errors.js';
import { checkExists } from '../../domain/repositories/lifecycle.js';
import { Repository } from '../../domain/repositories/repository.js';
import { defaultSettings, forkUnits } from '../../domain/repositories/settings.js';
import { EventStoreUnavailable, type Position } from '../../event-store/event-store.js';
import { ClaimTaken, type Claim } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import {
  createRepository,
  type CreatedRepository,
  type Fill,
  type NewRepository,
  type RepositoryServices,
} from './create-repository.js';
import { GrowingReservation } from './growing-reservation.js';
import { forkClaim } from './name-claim.js';
import { settleRefs, subjectOf } from './roll-forward.js';

/** A fork to be. */
export interface ForkAsked extends Pick<
  NewRepository,
  'ownerId' | 'creatorId' | 'name' | 'isPrivate' | 'collaborator'
> {
  readonly baseId: number;
}

export const alreadyForked = () => conflict('fork.exists', 'the owner has a fork of the repository already');

/**
 * Copies a repository, its history and its branches and tags, to another owner, who pays for all of its bytes. Refuses
 * with a conflict where the owner has a fork of it already, and whatever `createRepository` does.
 */
export async function forkRepository(
  services: RepositoryServices,
  { baseId, ...fork }: ForkAsked,
  context: CommandContext,
): Promise<CreatedRepository> {
  const { commands, claims } = services;
  const { state: base } = await commands.load(Repository, baseId);
  checkExists(base);
  const { description, defaultBranch } = base.settings;
  const settings = { ...defaultSettings, units: forkUnits, description, defaultBranch };

  let claimed: Claim | undefined;
  const fill: Fill = async (repositoryId, own) => {
    claimed = await claims.claim(forkClaim(baseId, fork.ownerId), repositoryId, own).catch(whereTaken);
    return copy(services, { baseId, repositoryId, ...fork }, own);
  };
  try {
    const created = await createRepository(services, { ...fork, baseId, settings }, fill, context);
    return { ...created, position: await stay(services, baseId, created, context) };
  } catch (error) {
    if (claimed && !(error instanceof EventStoreUnavailable)) await claims.release(claimed, context);
    throw error;
  }
}

function whereTaken(error: unknown): never {
  throw error instanceof ClaimTaken ? alreadyForked() : error;
}

/** The whole size is reserved before anything is copied, so that a fork that does not fit costs nothing. */
async function copy(
  services: RepositoryServices,
  {
    baseId,
    repositoryId,
    ownerId,
    isPrivate,
  }: Pick<ForkAsked, 'baseId' | 'ownerId' | 'isPrivate'> & { readonly repositoryId: number },
  context: CommandContext,
) {
  const { git, storage } = services;
  await settleRefs(services, baseId);
  const room = await GrowingReservation.begin({
    storage,
    ownerId,
    objectId: String(repositoryId),
    subject: subjectOf({ isPrivate }),
    context,
    onLost: () => undefined, // room is looked for again once the copy is there
  });
  try {
    await room.reach(await git.sizeOf(baseId));
    const { refs, defaultBranch } = await git.fork(baseId, repositoryId);
    const reservation = await room.handOver();
    return { refs, reservation, ...(defaultBranch !== undefined && { defaultBranch }) };
  } catch (error) {
    await room.release();
    throw error;
  }
}

/** A fork whose base was deleted meanwhile, by somebody who did not see the fork yet, is on its own. */
async function stay(
  { commands }: RepositoryServices,
  baseId: number,
  { repositoryId, position }: CreatedRepository,
  context: CommandContext,
): Promise<Position> {
  const { state: base } = await commands.load(Repository, baseId);
  if (base.status === 'exists') return position;
  const command = { type: 'DetachRepository', data: { at: context.at } } as const;
  return (await commands.handle(Repository, repositoryId, command, step(context, 'detach'))).position;
}
