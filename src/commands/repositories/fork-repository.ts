import { subjectOf } from '../../domain/quota/subjects.js';
import { RepositoryLanguages, type LanguageSizes } from '../../domain/repositories/languages.js';
import { defaultBranchAmong } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { defaultSettings, forkUnits } from '../../domain/repositories/settings.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import { createRepository } from './create-repository.js';
import { existing } from './existing.js';
import { withGrowingRoom } from './growing-reservation.js';
import type { CreatedRepository, Fill, NewRepository, RepositoryServices } from './new-repository.js';
import { settleRefs } from './roll-forward.js';
import { asVisible, countAsVisible, showFork } from './visibility.js';

/** A requested fork. */
export interface ForkAsked extends Pick<
  NewRepository,
  'ownerId' | 'creatorId' | 'name' | 'isPrivate' | 'collaborator'
> {
  readonly baseId: number;
  /** What the base is written in; absent if that has not been measured. */
  readonly languages?: { readonly commit: Hash; readonly sizes: LanguageSizes };
}

/**
 * Copies a repository with its history, branches and tags to another owner, whose quota counts all of its bytes.
 * Refuses with a conflict if the owner has a fork of it already, and otherwise as `createRepository` does.
 */
export async function forkRepository(
  services: RepositoryServices,
  { baseId, languages, ...asked }: ForkAsked,
  context: CommandContext,
): Promise<CreatedRepository> {
  const base = await existing(services, baseId);
  const fork = { ...asked, isPrivate: asked.isPrivate || base.isPrivate };
  const { description, defaultBranch } = base.settings;
  const settings = { ...defaultSettings, units: forkUnits, description, defaultBranch };

  const fill: Fill = (repositoryId, own) => copy(services, { baseId, repositoryId, ...fork }, own);
  const created = await createRepository(services, { ...fork, baseId, settings }, fill, context);
  const forkId = created.repositoryId;
  const taken = languages ? await takeLanguages(services, forkId, languages, context) : START;
  const shown = await showWithBase(services, { baseId, forkId }, context);
  return { ...created, position: later(later(created.position, taken), shown) };
}

/** Lets a fork begin with the languages of its base. Its own are measured afterwards, if its tip is another commit. */
async function takeLanguages(
  { commands }: Pick<RepositoryServices, 'commands'>,
  forkId: number,
  { commit, sizes: languages }: NonNullable<ForkAsked['languages']>,
  context: CommandContext,
): Promise<Position> {
  const command = { type: 'TakeLanguages', data: { commit, languages, at: context.at } } as const;
  return (await commands.begin(RepositoryLanguages, forkId, command, step(context, 'take languages')))
    .position;
}

/**
 * Makes a new fork private or public as its base has become meanwhile. An edit of the base looks for forks after it
 * changed the base, and this looks at the base after it created the fork, so that at least one of them notices the
 * other. Can safely be repeated.
 */
export function showWithBase(
  { commands, storage }: Pick<RepositoryServices, 'commands' | 'storage'>,
  { baseId, forkId }: { readonly baseId: number; readonly forkId: number },
  context: CommandContext,
): Promise<Position> {
  return asVisible(commands, baseId, step(context, 'show'), async ({ forksPrivate }, own) => {
    if ((await commands.load(Repository, forkId)).state.isPrivate === forksPrivate) return START;
    const shown = await showFork(commands, { forkId, baseId }, own);
    return later(shown, await countAsVisible({ commands, storage }, forkId, step(own, 'move')));
  });
}

/** Copies the base. Reserves the whole size before that, so that a fork that does not fit costs nothing. */
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
  const subject = subjectOf({ isPrivate });
  // Nothing is reserved ahead, because the size is known, and the excess would be missing elsewhere.
  const wanted = { storage, ownerId, objectId: String(repositoryId), subject, context, ahead: 0n };
  // If the room is lost meanwhile, it is reserved again once the copy is there.
  const { result, reservation } = await withGrowingRoom(wanted, async (room) => {
    await room.reach(await git.sizeOf(baseId));
    return git.fork(baseId, repositoryId);
  });
  const { refs, defaultBranch: named } = result;
  // HEAD may name a branch that is not among the refs: during a first push to the base, HEAD follows the branches.
  const defaultBranch = defaultBranchAmong(refs, named);
  return { refs, reservation, ...(defaultBranch !== undefined && { defaultBranch }) };
}
