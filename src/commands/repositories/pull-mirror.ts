import { badRequest, DomainError } from '../../domain/errors.js';
import { checkExists } from '../../domain/repositories/lifecycle.js';
import {
  BRANCHES,
  changesBetween,
  defaultBranchAmong,
  REFS_MOVED,
  type RefChange,
} from '../../domain/repositories/refs.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import type { RemoteRefs } from '../../git/port/copies.js';
import type { Staging } from '../../git/port/staging.js';
import type { Remotes } from '../../mirrors/remotes.js';
import { RemoteFailure } from '../../outgoing/remote-failure.js';
import type { Vault } from '../../vault/vault.js';
import { step, type CommandContext } from '../context.js';
import type { Reservation } from '../quota/storage.js';
import { whileOvertaken } from '../while-overtaken.js';
import { withGrowingRoom } from './growing-reservation.js';
import { refsGrowth } from './refs-growth.js';
import { countAlone, countStorage, nameDefaultBranch, subjectOf, withRefs } from './roll-forward.js';
import { pushRefs, updateRefs, type RefServices } from './update-refs.js';

/** What pulling takes: the other server, and the vault for the credentials that were kept for it, if any. */
export interface PullServices extends RefServices {
  readonly remotes: Pick<Remotes, 'fetch'>;
  readonly vault: Pick<Vault, 'mirrors'>;
}

/** A mirror and its source; its credentials, if any, are the vault's. */
export interface PulledMirror {
  readonly repositoryId: number;
  /** Where it was migrated from. */
  readonly url: string;
}

const ATTEMPTS = 3;

/**
 * Brings a mirror to where its source is, and records what came of that. Refuses with 413 where the owner's quota is
 * full, 422 where the source does wrong, and 400 for what is no mirror; refs have not moved then. Where some cannot follow,
 * as those that stand beside what was kept of before, all others do: 422 too.
 */
export async function pullMirror(
  services: PullServices,
  mirror: PulledMirror,
  context: CommandContext,
): Promise<Position> {
  const { commands } = services;
  const { state } = await commands.load(Repository, mirror.repositoryId);
  checkExists(state);
  if (!state.mirror) throw badRequest('mirror.none', 'the repository is no mirror');
  const record = async (failure?: string) => {
    const data = { ...(failure !== undefined && { failure }), at: new Date().toISOString() };
    const own = step(context, 'pull recorded');
    return (await commands.handle(Repository, mirror.repositoryId, { type: 'RecordPull', data }, own))
      .position;
  };
  try {
    await pull(services, mirror, state, context);
  } catch (error) {
    const failure = failureOf(error);
    // Whatever it was: the next pull is due an interval later, so that others get their turn.
    await record(failure?.code ?? 'mirror.failed').catch(() => undefined);
    throw failure ?? error;
  }
  return record();
}

type Standing = Pick<RepositoryState, 'ownerId' | 'isPrivate' | 'refs'>;

async function pull(
  services: PullServices,
  { repositoryId, url }: PulledMirror,
  { ownerId, isPrivate, refs }: Standing,
  context: CommandContext,
): Promise<void> {
  const { storage, remotes, vault } = services;
  const subject = subjectOf({ isPrivate });
  await storage.checkRoom(ownerId, subject, context);
  const credentials = await vault.mirrors.find(repositoryId);
  const wanted = { storage, ownerId, objectId: String(repositoryId), subject, context };
  const { result: fetched, reservation: received } = await withGrowingRoom(wanted, (room, lost) => {
    const onReceived = (total: bigint) => room.reach(total);
    const source = { url, ...(credentials && { credentials }) };
    return remotes.fetch(source, repositoryId, { ownerId, onReceived, signal: lost });
  });
  const arrival = { repositoryId, staging: fetched.staging, changes: changesBetween(refs, fetched.refs) };
  const reservation = await publish(services, arrival, received, context);
  try {
    await follow(services, repositoryId, fetched, reservation, context);
  } catch (error) {
    // The objects are there whatever became of the refs. Where this fails the lease runs out, and they are counted then.
    await countAlone(services, repositoryId, reservation).catch(() => undefined);
    throw error;
  }
}

/** What was fetched, and the refs that are to lead to it. */
interface Arrival {
  readonly repositoryId: number;
  readonly staging: Staging;
  readonly changes: readonly RefChange[];
}

/**
 * Puts what was fetched into the repository; the reservation is then of what it takes there, refs included. Where it fails,
 * the room is given back.
 */
async function publish(
  services: PullServices,
  { repositoryId, staging, changes }: Arrival,
  received: Reservation,
  context: CommandContext,
): Promise<Reservation> {
  const { storage } = services;
  let reservation = received;
  try {
    const bytes = (await staging.bytes()) + (await refsGrowth(services, repositoryId, changes));
    reservation = await storage.renew(reservation, context, bytes);
    await staging.publish();
    return reservation;
  } catch (error) {
    await storage.release(reservation, context);
    throw error;
  } finally {
    await staging.discard();
  }
}

/** Moves the refs to where the source has them; anew where another pull was faster. Rejects where not all of them could. */
async function follow(
  services: PullServices,
  repositoryId: number,
  source: RemoteRefs,
  reservation: Reservation,
  context: CommandContext,
): Promise<void> {
  const refusal = await whileOvertaken([REFS_MOVED], ATTEMPTS, (attempt) =>
    moveRefs(services, repositoryId, source, reservation, step(context, `attempt ${attempt}`)),
  );
  const branch = defaultBranchAmong(source.refs, source.defaultBranch);
  if (branch !== undefined) await followHead(services, repositoryId, branch, context);
  if (refusal) throw new DomainError('invalid', refusal.code, `not all could follow: ${refusal.message}`);
}

/** Resolves with why a ref could not follow, where all others have. */
async function moveRefs(
  services: PullServices,
  repositoryId: number,
  { refs, defaultBranch: first }: RemoteRefs,
  reservation: Reservation,
  context: CommandContext,
): Promise<DomainError | undefined> {
  const { state } = await services.commands.load(Repository, repositoryId);
  const changes = changesBetween(state.refs, refs);
  const gone = state.mirror?.prune ? changes.filter(isDeletion) : [];
  const come = changes.filter((change) => !isDeletion(change));
  const pulled = { repositoryId, pusherId: null };
  // Before the rest: a branch may be in the way of what has come in its place.
  if (gone.length > 0) await updateRefs(services, { ...pulled, changes: gone }, step(context, 'gone'));
  const named = first !== undefined && refs.has(BRANCHES + first) && { defaultBranch: first };
  const coming = { ...pulled, changes: come, ...named, reservation, atomic: false };
  const { refused } = await pushRefs(services, coming, step(context, 'come'));
  const refusals = [...refused.values()];
  const overtaken = refusals.find(({ code }) => code === REFS_MOVED);
  if (overtaken) throw overtaken;
  return refusals[0];
}

/** The branch that the source shows first, or else has, takes the place of a default branch that is gone. */
async function followHead(
  services: PullServices,
  repositoryId: number,
  branch: string,
  context: CommandContext,
): Promise<void> {
  const { commands, repositoryLocks } = services;
  const { pending } = repositoryLocks;
  await withRefs(services, repositoryId, async () => {
    const isAsked = async () => {
      const { state } = await commands.load(Repository, repositoryId);
      checkExists(state);
      return !state.refs.has(BRANCHES + state.settings.defaultBranch) && state.refs.has(BRANCHES + branch);
    };
    if (!(await isAsked())) return;
    const command = async () => {
      const data = { settings: (await isAsked()) ? { defaultBranch: branch } : {}, at: context.at };
      return { type: 'EditRepository', data } as const;
    };
    await pending.note(repositoryId);
    await commands.handle(Repository, repositoryId, command, step(context, 'default branch'));
    await nameDefaultBranch(services, repositoryId);
    await countStorage(services, repositoryId);
    await pending.clear(repositoryId);
  });
}

const isDeletion = ({ after }: RefChange) => after === null;

/** What the pull is refused with; undefined for what is nobody's fault but ours. */
function failureOf(error: unknown): DomainError | undefined {
  if (error instanceof RemoteFailure)
    return new DomainError('invalid', `mirror.${error.reason.replaceAll('-', '_')}`, error.message);
  return error instanceof DomainError ? error : undefined;
}
