import { Account } from '../../domain/accounts/account.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';
import type { CountingServices } from './count-storage.js';

/** Tells whether forks of the repository are private: if it is, or if it belongs to a private account. */
export async function hidesForks(
  commands: CommandHandler,
  { ownerId, isPrivate }: { readonly ownerId: number; readonly isPrivate: boolean },
): Promise<boolean> {
  if (isPrivate) return true;
  const { state } = await commands.load(Account, ownerId);
  return state.status === 'exists' && state.settings.visibility === 'private';
}

/** The state of a repository as it was read, and whether its forks are private. */
interface Seen {
  readonly state: RepositoryState;
  readonly forksPrivate: boolean;
}

/**
 * Runs `follow` with the visibility of a repository and of its forks. Runs it again if that changed meanwhile, because
 * the one that changed it may have looked too early to find what `follow` creates.
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

/**
 * Makes a fork private or public as its base requires at that moment, whatever was seen of the base before. Does nothing
 * for a fork or base that was deleted meanwhile.
 */
export async function showFork(
  commands: CommandHandler,
  { forkId, baseId }: { readonly forkId: number; readonly baseId: number },
  context: CommandContext,
): Promise<Position> {
  const command = async () => {
    const { state: base } = await commands.load(Repository, baseId);
    const isPrivate = base.status === 'exists' ? await hidesForks(commands, base) : undefined;
    const data = { settings: {}, ...(isPrivate !== undefined && { isPrivate }), at: context.at };
    return { type: 'EditRepository', data } as const;
  };
  const shown = await unlessGone(commands.handle(Repository, forkId, command, context));
  return shown?.position ?? START;
}

/** The services for counting a repository as public or private. */
type SubjectServices = Pick<CountingServices, 'commands' | 'storage'>;

/** Counts the bytes of a repository as public or private as it is, even if that changes meanwhile. */
export const countAsVisible = (
  services: SubjectServices,
  repositoryId: number,
  context: CommandContext,
): Promise<Position> =>
  asVisible(services.commands, repositoryId, context, ({ state }, own) =>
    moveBytes(services, { repositoryId, ownerId: state.ownerId }, own),
  );

/** Counts the bytes of an owner's repository as public or private as it is at that moment, if they count as the other. */
export function moveBytes(
  { commands, storage }: SubjectServices,
  { repositoryId, ownerId }: { readonly repositoryId: number; readonly ownerId: number },
  context: CommandContext,
): Promise<Position> {
  const subjects = async () => {
    const { isPrivate } = (await commands.load(Repository, repositoryId)).state;
    return { from: subjectOf({ isPrivate: !isPrivate }), to: subjectOf({ isPrivate }) };
  };
  return storage.move(ownerId, String(repositoryId), subjects, context);
}
