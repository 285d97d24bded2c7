import { conflict, DomainError } from '../../domain/errors.js';
import type { BranchProtection } from '../../domain/repositories/branch-protection.js';
import { checkExists } from '../../domain/repositories/lifecycle.js';
import {
  BRANCHES,
  firstDefaultBranch,
  refusedChanges,
  shortName,
  type RefChange,
  type Refs,
} from '../../domain/repositories/refs.js';
import type { RefUpdate } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { GitRefsBusy, GitRefsRefused } from '../../git/port/errors.js';
import { step, type CommandContext } from '../context.js';
import type { Reservation } from '../quota/storage.js';
import { describeRefs, type DescribingServices } from './describe-refs.js';
import {
  countStorage,
  nameDefaultBranch,
  rollForward,
  withRefs,
  type RollingServices,
} from './roll-forward.js';

/** What moving refs takes: to describe them for the log, and to have them on disk where it says. */
export interface RefServices extends RollingServices, DescribingServices {
  /** Told of each repository whose refs have moved. */
  readonly onMoved?: (repositoryId: number) => void;
}

/** Refs that somebody wants moved; a change whose `before` is its `after` records nothing. */
export interface RefsUpdate {
  readonly repositoryId: number;
  /** Null where nobody pushed. */
  readonly pusherId: number | null;
  readonly changes: readonly RefChange[];
  /** What becomes the default branch where that is not there any more; left out, the first branch of all does. */
  readonly defaultBranch?: string;
  /** What it was judged by: refused where that changed meanwhile, or the repository is archived. Nothing holds up a pull. */
  readonly judgedBy?: readonly BranchProtection[];
  /** Asked once nobody else works on the refs: rejects where they may not move any more. */
  readonly mayStill?: () => Promise<unknown>;
  /** Of the bytes that the objects take; settled with what the repository measures afterwards. */
  readonly reservation?: Reservation;
}

/** What came of moving refs, also where none had to move. */
export interface RefsMoved {
  /** What a read has to show to show them. */
  readonly position: Position;
  /** What the repository measures now. */
  readonly bytes: bigint;
}

/** What one event holds at most, so that it stays below what an append may hold. */
const ROUND = { refs: 2_000, bytes: 524_288 };

/**
 * Moves refs, all or none: the one way in which they move. The log is told before git, and what a crash leaves undone
 * in between is done by whoever comes next. The objects must be in the repository already. Refuses with a conflict
 * where a ref is not at `before` any more, or stands in another's way.
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
 * As `updateRefs`; unless it is `atomic`, what can move does, and the rest is answered with its reasons, by ref. A push
 * whose answer was lost comes again, by itself even, and while the first is under way: what is where it wants it is no
 * conflict.
 */
export const pushRefs = (
  services: RefServices,
  push: RefsPush,
  context: CommandContext,
): Promise<RefsPushed> =>
  moveRefs(
    services,
    push,
    context,
    (refs, { ref, before, after }) => before !== after && (refs.get(ref) ?? null) === after,
  );

async function moveRefs(
  services: RefServices,
  { atomic, ...update }: RefsPush,
  context: CommandContext,
  isDone: (refs: Refs, change: RefChange) => boolean = () => false,
): Promise<RefsPushed> {
  const { repositoryId } = update;
  const { state } = await services.commands.load(Repository, repositoryId);
  checkExists(state);
  const all = await describeRefs(services, repositoryId, state.refs, update.changes);
  return withRefs(services, repositoryId, async () => {
    const { state, position } = await services.commands.load(Repository, repositoryId);
    checkExists(state);
    await update.mayStill?.();
    const described = all.filter((change) => !isDone(state.refs, change));
    const refused = new Map([...noCommits(described), ...refusedChanges(state.refs, described)]);
    const updates = described.filter(({ ref, before, after }) => !refused.has(ref) && before !== after);
    if (updates.length === 0 || (atomic && refused.size > 0)) {
      const counted = await countStorage(services, repositoryId, update.reservation);
      return { bytes: counted.bytes, position: later(position, counted.position), refused };
    }
    return { ...(await move(services, update, updates, state.refs, context)), refused };
  });
}

/** Branches of something else, which git would not take, and with them nothing of the whole. */
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
  refs: Refs,
  context: CommandContext,
): Promise<RefsMoved> {
  const reservation =
    reserved && (await services.storage.keep(reserved, step(context, `keep ${reserved.id}`)));
  const { pending } = services.repositoryLocks;
  const defaultBranch = asked.defaultBranch ?? firstDefaultBranch(refs, updates);
  let position: Position = START;
  await pending.note(repositoryId);
  const rounds = roundsOf(updates);
  for (const [index, round] of rounds.entries()) {
    const command = {
      type: 'UpdateRefs',
      data: {
        pusherId,
        pushId: context.commandId,
        updates: round,
        ...(index === 0 && defaultBranch !== undefined && { defaultBranch }),
        ...(index === 0 && judgedBy && { judgedBy }), // what has begun is brought to its end
        at: context.at,
      },
    } as const;
    // The last one is under the command's own id: only when it is there has the command been carried out.
    const own = index === rounds.length - 1 ? context : step(context, `refs, round ${index}`);
    const prepared = await prepare(services, repositoryId, round);
    try {
      ({ position } = await services.commands.handle(Repository, repositoryId, command, own));
    } catch (error) {
      await prepared.abort();
      // A rule refused, so the log has nothing that the disk has not. Of anything else the outcome is unknown.
      if (error instanceof DomainError) await pending.clear(repositoryId);
      throw error;
    }
    await prepared.commit();
  }
  if (defaultBranch !== undefined) await nameDefaultBranch(services, repositoryId);
  const counted = await countStorage(services, repositoryId, reservation);
  await pending.clear(repositoryId);
  services.onMoved?.(repositoryId);
  return { bytes: counted.bytes, position: later(position, counted.position) };
}

/** The refs that this very command moved before, and where that stands, where its answer was lost. */
export async function movedEarlier(
  { commands }: RefServices,
  repositoryId: number,
  context: CommandContext,
): Promise<{ readonly updates: readonly RefUpdate[]; readonly position: Position } | undefined> {
  const earlier = await commands.repeated(Repository, repositoryId, context);
  const moved = earlier?.events.find((event) => event.type === 'RefsUpdated');
  return earlier && moved && { updates: moved.data.updates, position: earlier.position };
}

/** What the log says of the refs holds: where the disk disagrees it is brought there, once. */
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

/** The same updates in parts that one event can hold; none for none. */
export function roundsOf(updates: readonly RefUpdate[]): RefUpdate[][] {
  const rounds: RefUpdate[][] = [];
  let bytes = Infinity;
  for (const update of updates) {
    const size = Buffer.byteLength(JSON.stringify(update));
    const round = rounds.at(-1);
    if (round && round.length < ROUND.refs && bytes + size <= ROUND.bytes) {
      round.push(update);
      bytes += size;
    } else {
      rounds.push([update]);
      bytes = size;
    }
  }
  return rounds;
}
