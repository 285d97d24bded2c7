import type { DataOf } from '../../domain/decider.js';
import { conflict, DomainError } from '../../domain/errors.js';
import type { BranchProtection } from '../../domain/repositories/branch-protection.js';
import { checkExists } from '../../domain/repositories/lifecycle.js';
import {
  BRANCHES,
  firstDefaultBranch,
  hasArrived,
  inOrder,
  refusedChanges,
  shortName,
  type RefChange,
  type Refs,
} from '../../domain/repositories/refs.js';
import type { RefUpdate, RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import {
  Repository,
  type RepositoryCommand,
  type RepositoryState,
} from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { GitRefsBusy, GitRefsRefused } from '../../git/port/errors.js';
import { step, type CommandContext } from '../context.js';
import { factsOf, type Handled } from '../handle.js';
import type { Reservation } from '../quota/reservation.js';
import { roundsOf } from '../rounds.js';
import { countStorage } from './count-storage.js';
import { describeRefs, type DescribingServices } from './describe-refs.js';
import { existing } from './existing.js';
import { nameDefaultBranch, rollForward, withRefs, type RollingServices } from './roll-forward.js';

/** The services for moving refs: describing them for the log, and making the disk agree with it. */
export interface RefServices extends RollingServices, DescribingServices {
  /** Called with each repository whose refs have moved. */
  readonly onMoved?: (repositoryId: number) => void;
}

/** Requested moves of refs. A change whose `before` equals its `after` records nothing. */
export interface RefsUpdate {
  readonly repositoryId: number;
  /** Null if no account pushed. */
  readonly pusherId: number | null;
  readonly changes: readonly RefChange[];
  /** The new default branch, if the present one no longer exists. If absent, an empty repository's first branch. */
  readonly defaultBranch?: string;
  /**
   * The rules that the update was checked against. Refused if they changed since or the repository was archived; a pull
   * of a mirror passes none, because nothing prevents it.
   */
  readonly judgedBy?: readonly BranchProtection[];
  /** Called under the repository's lock; rejects if the caller may no longer move the refs. */
  readonly mayStill?: () => Promise<unknown>;
  /** The reservation for the bytes of the objects; it is settled with the repository's size after the move. */
  readonly reservation?: Reservation;
}

/** The outcome of moving refs, even if none had to move. */
export interface RefsMoved {
  /** The position that read models must have reached to show it. */
  readonly position: Position;
  /** The repository's size now. */
  readonly bytes: bigint;
  /** The moves as the log has them: those of an earlier attempt of the same command if it was carried out after all. */
  readonly updates: readonly RefUpdate[];
}

/** How many refs one event moves at most. */
export const REFS_AT_ONCE = 2_000;

/**
 * Moves refs, all or none. All moves of refs go through here. The log is written before git; what a crash leaves undone
 * in between is completed by the next user of the refs. The objects must be in the repository already. Refuses with a
 * conflict if a ref is not at `before` any more, or collides with the name of another.
 */
export async function updateRefs(
  services: RefServices,
  update: RefsUpdate,
  context: CommandContext,
): Promise<RefsMoved> {
  const { refused, ...moved } = await moveRefs(services, { ...update, atomic: true }, context);
  const [refusal] = refused.values();
  if (refusal) throw refusal;
  return moved;
}

type RefsPush = RefsUpdate & { readonly atomic: boolean };
type RefsPushed = RefsMoved & { readonly refused: ReadonlyMap<string, DomainError> };

/**
 * Like `updateRefs`, but unless the push is `atomic`, moves the refs that can move and returns the refusals of the
 * others, by ref. A ref that is at its target already is no conflict, because a client may repeat a push whose answer
 * was lost, even by itself and while the first one is under way.
 */
export const pushRefs = (
  services: RefServices,
  push: RefsPush,
  context: CommandContext,
): Promise<RefsPushed> => moveRefs(services, push, context, hasArrived);

async function moveRefs(
  services: RefServices,
  { atomic, ...update }: RefsPush,
  context: CommandContext,
  isDone: (refs: Refs, change: RefChange) => boolean = () => false,
): Promise<RefsPushed> {
  const { repositoryId } = update;
  const before = await existing(services, repositoryId);
  const all = await describeRefs(services, repositoryId, before, update.changes);
  return withRefs(services, repositoryId, async () => {
    const { state, position } = await services.commands.load(Repository, repositoryId);
    checkExists(state);
    await update.mayStill?.();
    const described = all.filter((change) => !isDone(state.refs, change));
    const refused = new Map([...noCommits(described), ...refusedChanges(state.refs, described)]);
    const updates = described.filter(({ ref, before, after }) => !refused.has(ref) && before !== after);
    if (updates.length === 0 || (atomic && refused.size > 0)) {
      const counted = await countStorage(services, repositoryId, context, update.reservation);
      return { bytes: counted.bytes, updates: [], position: later(position, counted.position), refused };
    }
    return { ...(await move(services, update, updates, state, context)), refused };
  });
}

/** Refuses branches that would point to anything but a commit, because git would refuse them, and the whole with them. */
function noCommits(updates: readonly RefUpdate[]): [string, DomainError][] {
  return updates
    .filter(
      ({ ref, after, committedAt }) => after !== null && committedAt === null && ref.startsWith(BRANCHES),
    )
    .map(({ ref }) => [ref, conflict('refs.no_commit', `${shortName(ref)} would be no commit`)]);
}

async function move(
  services: RefServices,
  { repositoryId, pusherId, reservation: reserved, judgedBy, ...asked }: RefsUpdate,
  updates: readonly RefUpdate[],
  { ownerId, refs }: RepositoryState,
  context: CommandContext,
): Promise<RefsMoved> {
  const reservation =
    reserved && (await services.storage.keep(reserved, ownerId, step(context, `keep ${reserved.id}`)));
  const { pending } = services.repositoryLocks;
  const defaultBranch = asked.defaultBranch ?? firstDefaultBranch(refs, updates);
  const recorded: RefUpdate[] = [];
  let position: Position = START;
  await pending.note(repositoryId);
  const rounds = roundsOf(inOrder(updates).flat(), REFS_AT_ONCE);
  for (const [index, round] of rounds.entries()) {
    const data = {
      pusherId,
      pushId: context.commandId,
      updates: round,
      ...(index === 0 && defaultBranch !== undefined && { defaultBranch }),
      ...(index === 0 && judgedBy && { judgedBy }), // only for the first round: once begun, the update is completed
      at: context.at,
    };
    // The last round has the command's own id, because only then has the command been carried out.
    const own = index === rounds.length - 1 ? context : step(context, `refs, round ${index}`);
    const handled = await moveRound(services, repositoryId, data, own);
    ({ position } = handled);
    recorded.push(...factsOf(handled, 'RefsUpdated').updates);
  }
  if (defaultBranch !== undefined) await nameDefaultBranch(services, repositoryId);
  const counted = await countStorage(services, repositoryId, context, reservation);
  await pending.clear(repositoryId);
  services.onMoved?.(repositoryId);
  return { bytes: counted.bytes, updates: recorded, position: later(position, counted.position) };
}

/** Moves the refs of one round, in the log and then in git. */
async function moveRound(
  services: RefServices,
  repositoryId: number,
  data: DataOf<RepositoryCommand, 'UpdateRefs'>,
  context: CommandContext,
): Promise<Handled<RepositoryEvent>> {
  const prepared = await prepare(services, repositoryId, data.updates);
  let handled: Handled<RepositoryEvent>;
  try {
    handled = await services.commands.handle(Repository, repositoryId, { type: 'UpdateRefs', data }, context);
  } catch (error) {
    await prepared.abort();
    // After a refusal by a rule, log and disk agree. After any other error the outcome is unknown.
    if (error instanceof DomainError) await services.repositoryLocks.pending.clear(repositoryId);
    throw error;
  }
  if (areSame(factsOf(handled, 'RefsUpdated').updates, data.updates)) await prepared.commit();
  else {
    // An append of an earlier attempt of this command has arrived only now, and moved the refs elsewhere.
    await prepared.abort();
    await rollForward(services, repositoryId);
  }
  return handled;
}

const areSame = (some: readonly RefUpdate[], others: readonly RefUpdate[]): boolean =>
  some.length === others.length &&
  some.every(({ ref, after }, index) => ref === others[index]?.ref && after === others[index].after);

/** Finds the refs that an earlier attempt of the same command moved, whose answer was lost; undefined if none. */
export async function movedEarlier(
  { commands }: RefServices,
  repositoryId: number,
  context: CommandContext,
): Promise<Pick<RefsMoved, 'updates' | 'position'> | undefined> {
  const earlier = await commands.repeated(Repository, repositoryId, context);
  const moved = earlier?.events.find((event) => event.type === 'RefsUpdated');
  return earlier && moved && { updates: moved.data.updates, position: earlier.position };
}

/** Prepares the move on disk. If the disk disagrees with the log about the refs, corrects the disk and retries once. */
async function prepare(services: RefServices, repositoryId: number, round: readonly RefUpdate[]) {
  try {
    return await services.git.prepareRefs(repositoryId, round);
  } catch (error) {
    if (!(error instanceof GitRefsRefused)) throw error;
    await rollForward(services, repositoryId);
  }
  try {
    return await services.git.prepareRefs(repositoryId, round);
  } catch (error) {
    await services.repositoryLocks.pending.clear(repositoryId);
    if (error instanceof GitRefsRefused && !(error instanceof GitRefsBusy))
      throw conflict('refs.refused', 'git refuses to move the refs');
    throw error;
  }
}
