import { Account } from '../../domain/accounts/account.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Storage } from '../quota/storage.js';
import { unlessGone } from '../unless-refused.js';
import { subjectOf } from './roll-forward.js';

/** Whether forks of the repository are private: where it is, or belongs to an account that hides what it has. */
export async function hidesForks(
  commands: CommandHandler,
  { ownerId, isPrivate }: { readonly ownerId: number; readonly isPrivate: boolean },
): Promise<boolean> {
  if (isPrivate) return true;
  const { state } = await commands.load(Account, ownerId);
  return state.status === 'exists' && state.settings.visibility === 'private';
}

/** A repository as it was looked at, and whether its forks are private. */
interface Seen {
  readonly state: RepositoryState;
  readonly forksPrivate: boolean;
}

/**
 * Does what follows from whether a repository is private and its forks are, and again where that was changed meanwhile:
 * whoever changed it may have been too early to find what this does.
 */
export async function asVisible(
  commands: CommandHandler,
  repositoryId: number,
  context: CommandContext,
  follow: (seen: Seen, context: CommandContext) => Promise<Position>,
): Promise<Position> {
  let position = START;
  for (let round = 1; ; round++) {
    const { state } = await commands.load(Repository, repositoryId);
    if (state.status !== 'exists') return position;
    const forksPrivate = await hidesForks(commands, state);
    const own = round === 1 ? context : step(context, `again ${round}`);
    position = later(position, await follow({ state, forksPrivate }, own));
    const { state: now } = await commands.load(Repository, repositoryId);
    if (now.isPrivate === state.isPrivate && (await hidesForks(commands, now)) === forksPrivate)
      return position;
  }
}

/** Makes a fork private or public, as its base asks for; one that was deleted meanwhile is nobody's concern any more. */
export async function showFork(
  commands: CommandHandler,
  { forkId, isPrivate }: { readonly forkId: number; readonly isPrivate: boolean },
  context: CommandContext,
): Promise<Position> {
  const command = { type: 'EditRepository', data: { settings: {}, isPrivate, at: context.at } } as const;
  const shown = await unlessGone(commands.handle(Repository, forkId, command, context));
  return shown?.position ?? START;
}

/** Counts the bytes of a repository as those of what it is, public or private, whoever changes that meanwhile. */
export const countAsVisible = (
  { commands, storage }: { readonly commands: CommandHandler; readonly storage: Storage },
  repositoryId: number,
  context: CommandContext,
): Promise<Position> =>
  asVisible(commands, repositoryId, context, ({ state }, own) =>
    moveBytes(storage, repositoryId, state, own),
  );

/** Counts the bytes of a repository as those of what it is now, where they were counted as the other's. */
export function moveBytes(
  storage: Storage,
  repositoryId: number,
  { ownerId, isPrivate }: { readonly ownerId: number; readonly isPrivate: boolean },
  context: CommandContext,
): Promise<Position> {
  const subjects = { from: subjectOf({ isPrivate: !isPrivate }), to: subjectOf({ isPrivate }) };
  return storage.move(ownerId, String(repositoryId), subjects, context);
}
