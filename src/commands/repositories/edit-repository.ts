import { checkExists } from '../../domain/repositories/lifecycle.js';
import { checkRepositoryName, repositoryNameKey } from '../../domain/repositories/names.js';
import type { Mirror } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import { later, type Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { repositoryClaimant, repositoryNameClaim } from './repository-claims.js';
import { countStorage, nameDefaultBranch, withRefs, type RollingServices } from './roll-forward.js';
import { asVisible, hidesForks, moveBytes, showFork } from './visibility.js';

/** What editing a repository takes: a new name is claimed, forks become private or public with it. */
export interface EditServices extends RollingServices {
  readonly claims: Claims;
  /** The forks of a repository that are not detached from it. */
  readonly forksOf: (repositoryId: number, position: Position) => Promise<readonly number[]>;
}

/** What is to change; what is absent stays. */
export interface RepositoryEdit {
  readonly settings: Partial<RepositorySettings>;
  /** Further settings, worked out from those that the repository has when the change is decided on. */
  readonly adjusted?: (current: RepositorySettings) => Partial<RepositorySettings>;
  readonly name?: string;
  /** Ignored for a fork, which is as it was made: private where `hidesForks` says so of its base. */
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  readonly mirror?: Partial<Mirror>;
}

/**
 * Changes a repository in one append to its stream; a refusal leaves everything as it was. A new name is claimed before
 * it. What follows from it comes after: HEAD names the default branch, bytes count under the other subject, forks become
 * private or public too. Where that was cut off, whoever comes next to its refs does the first, which is noted before, and
 * the dispatcher the others. Refuses with a conflict a name that is taken.
 */
export async function editRepository(
  services: EditServices,
  repositoryId: number,
  edit: RepositoryEdit,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  if (edit.name !== undefined) checkRepositoryName(edit.name);
  if (edit.settings.defaultBranch !== undefined) await services.repositoryLocks.pending.note(repositoryId);
  let position = await claiming(services.claims, repositoryClaimant(repositoryId), context, (own) =>
    change(services, repositoryId, edit, own),
  );
  if (edit.settings.defaultBranch !== undefined)
    position = later(position, await moveHead(services, repositoryId));
  if (edit.isPrivate !== undefined) {
    const counted = await followVisibility(services, repositoryId, context, position);
    position = later(position, counted);
  }
  return { position };
}

async function change(
  { commands, claims }: EditServices,
  repositoryId: number,
  { name, isPrivate: asked, settings, adjusted, ...rest }: RepositoryEdit,
  context: CommandContext,
): Promise<Position> {
  const earlier = await commands.repeated(Repository, repositoryId, context);
  if (earlier) return earlier.position; // it may have another name again
  const { state } = await commands.load(Repository, repositoryId);
  checkExists(state);
  const { ownerId, baseId, claimsLost } = state;
  const command = async () => {
    const { settings: current } = (await commands.load(Repository, repositoryId)).state;
    const base = baseId === undefined ? undefined : (await commands.load(Repository, baseId)).state;
    const isPrivate =
      asked !== undefined && base?.status === 'exists' ? await hidesForks(commands, base) : asked;
    const data = {
      ...rest,
      settings: { ...settings, ...adjusted?.(current) },
      ...(isPrivate !== undefined && { isPrivate }),
      ...(name !== undefined && { name: { name, claimsLost } }),
      at: context.at,
    };
    return { type: 'EditRepository', data } as const;
  };
  const edit = async () => (await commands.handle(Repository, repositoryId, command, context)).position;
  if (name === undefined || repositoryNameKey(name) === repositoryNameKey(state.name)) return edit();

  Repository.decide(await command(), state); // most refusals come before anything is claimed
  const held = await claims.find(repositoryNameClaim(ownerId, state.name), repositoryId);
  const claim = await claims.claim(repositoryNameClaim(ownerId, name), repositoryId, context);
  const position = await orGiveUp(claims, claim, context, edit);
  if (held) await claims.release(held, context);
  return position;
}

/** Lets HEAD on disk name the default branch, whatever that is by now, and counts the bytes of its name. */
function moveHead(services: RollingServices, repositoryId: number): Promise<Position> {
  return withRefs(services, repositoryId, async () => {
    await nameDefaultBranch(services, repositoryId);
    return (await countStorage(services, repositoryId)).position;
  });
}

/** What following the owner of repositories takes. */
export type OwnerFollowed = Pick<EditServices, 'commands' | 'storage' | 'forksOf'> & {
  /** The repositories of an account that have forks. */
  readonly basesOf: (ownerId: number, position: Position) => Promise<readonly number[]>;
};

/**
 * Makes the forks of what an account owns private, where it hides what it has, or as their bases are. Again it does
 * nothing.
 */
export async function followOwner(
  services: OwnerFollowed,
  ownerId: number,
  context: CommandContext,
  edited: Position,
): Promise<Position> {
  let position = edited;
  for (const baseId of await services.basesOf(ownerId, edited)) {
    const own = step(context, `forks of ${baseId}`);
    position = later(position, await followVisibility(services, baseId, own, edited));
  }
  return position;
}

/** Counts the repository's bytes as those of what it is now, and makes its forks the same. Again it does nothing. */
export async function followVisibility(
  services: Pick<EditServices, 'commands' | 'storage' | 'forksOf'>,
  repositoryId: number,
  context: CommandContext,
  edited: Position,
): Promise<Position> {
  const { commands, storage, forksOf } = services;
  const followed = await asVisible(commands, repositoryId, context, async ({ state, forksPrivate }, own) => {
    let position = await moveBytes(storage, repositoryId, state, step(own, `move ${repositoryId}`));
    for (const forkId of await forksOf(repositoryId, edited)) {
      const forks = step(own, `fork ${forkId}`);
      const shown = await showFork(commands, { forkId, isPrivate: forksPrivate }, forks);
      position = later(position, await followVisibility(services, forkId, forks, shown));
    }
    return position;
  });
  return later(followed, edited);
}
