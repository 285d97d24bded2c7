import { checkRepositoryName, repositoryNameKey } from '../../domain/repositories/names.js';
import type { Mirror } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import { later, type Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { existing } from './existing.js';
import { repositoryClaimant, repositoryNameClaim } from './repository-claims.js';
import { withHead, type RollingServices } from './roll-forward.js';
import { asVisible, hidesForks, moveBytes, showFork } from './visibility.js';

/** The services for editing repositories: a new name is claimed, and forks become private or public with their base. */
export interface EditServices extends RollingServices {
  readonly claims: Claims;
  /** Finds the forks of a repository that are not detached from it, once the read models have passed the position. */
  readonly forksOf: (repositoryId: number, position: Position) => Promise<readonly number[]>;
}

/** The changes to make; absent fields stay as they are. */
export interface RepositoryEdit {
  readonly settings: Partial<RepositorySettings>;
  /** Computes further settings from those that the repository has when the change is decided. */
  readonly adjusted?: (current: RepositorySettings) => Partial<RepositorySettings>;
  readonly name?: string;
  /** Ignored for a fork whose base exists: `hidesForks` of the base determines whether it is private. */
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  readonly mirror?: Partial<Mirror>;
}

/**
 * Changes a repository by one append to its stream; a refusal leaves everything as it was. A new name is claimed before
 * the append. The consequences come after it: HEAD names the default branch, the bytes count under the other subject,
 * and forks become private or public as well. If they were interrupted, the next user of the refs does the first one,
 * because the repository is noted as pending, and the dispatcher does the others. Refuses a name that is taken with a
 * conflict.
 */
export async function editRepository(
  services: EditServices,
  repositoryId: number,
  edit: RepositoryEdit,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  if (edit.name !== undefined) checkRepositoryName(edit.name);
  let position = await claiming(services.claims, repositoryClaimant(repositoryId), context, (own) =>
    change(services, repositoryId, edit, own),
  );
  if (edit.isPrivate !== undefined) {
    const counted = await followVisibility(services, repositoryId, context, position);
    position = later(position, counted);
  }
  return { position };
}

async function change(
  services: EditServices,
  repositoryId: number,
  { name, isPrivate: asked, settings, adjusted, ...rest }: RepositoryEdit,
  context: CommandContext,
): Promise<Position> {
  const { commands, claims } = services;
  const earlier = await commands.repeated(Repository, repositoryId, context);
  if (earlier) return earlier.position; // the repository may have been renamed again since
  const state = await existing(services, repositoryId);
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
  const append = async () => (await commands.handle(Repository, repositoryId, command, context)).position;
  const edit = () =>
    settings.defaultBranch === undefined ? append() : withHead(services, repositoryId, append, context);
  if (name === undefined || repositoryNameKey(name) === repositoryNameKey(state.name)) return edit();

  Repository.decide(await command(), state); // so that most refusals come before anything is claimed
  const held = await claims.find(repositoryNameClaim(ownerId, state.name), repositoryId);
  const claim = await claims.claim(repositoryNameClaim(ownerId, name), repositoryId, context);
  const position = await orGiveUp(claims, claim, context, edit);
  if (held) await claims.release(held, context);
  return position;
}

/** The services for making forks follow the visibility of the account that owns their bases. */
export type OwnerFollowed = Pick<EditServices, 'commands' | 'storage' | 'forksOf'> & {
  /** Finds the account's repositories that have forks, once the read models have passed the position. */
  readonly basesOf: (ownerId: number, position: Position) => Promise<readonly number[]>;
};

/**
 * Makes the forks of an account's repositories private if the account is, and otherwise as their bases are. Can safely
 * be repeated.
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

/** Counts the repository's bytes as public or private as it is now, and adapts its forks. Can safely be repeated. */
export async function followVisibility(
  services: Pick<EditServices, 'commands' | 'storage' | 'forksOf'>,
  repositoryId: number,
  context: CommandContext,
  edited: Position,
): Promise<Position> {
  const { commands, forksOf } = services;
  const followed = await asVisible(commands, repositoryId, context, async ({ state }, own) => {
    const { ownerId } = state;
    let position = await moveBytes(services, { repositoryId, ownerId }, step(own, `move ${repositoryId}`));
    for (const forkId of await forksOf(repositoryId, edited)) {
      const forks = step(own, `fork ${forkId}`);
      const shown = await showFork(commands, { forkId, baseId: repositoryId }, forks);
      position = later(position, await followVisibility(services, forkId, forks, shown));
    }
    return position;
  });
  return later(followed, edited);
}
