import { badRequest, DomainError } from '../../domain/errors.js';
import { subjectOf } from '../../domain/quota/subjects.js';
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
import { RemoteFailure, ServerStopped } from '../../outgoing/remote-failure.js';
import type { Vault } from '../../vault/vault.js';
import { ownCommand, step, type CommandContext } from '../context.js';
import type { Reservation } from '../quota/reservation.js';
import { whileOvertaken } from '../while-overtaken.js';
import { countAlone } from './count-storage.js';
import { existing } from './existing.js';
import { withGrowingRoom } from './growing-reservation.js';
import { refsGrowth } from './refs-growth.js';
import { withHead } from './roll-forward.js';
import { pushRefs, updateRefs, type RefServices } from './update-refs.js';

/** The services for pulling: the other server, and the vault for the credentials of the mirror, if it has any. */
export interface PullServices extends RefServices {
  readonly remotes: Pick<Remotes, 'fetch'>;
  readonly vault: Pick<Vault, 'mirrors'>;
}

/** A mirror and its source. Its credentials, if any, are in the vault. */
export interface PulledMirror {
  readonly repositoryId: number;
  /** The address that it was migrated from. */
  readonly url: string;
}

const ATTEMPTS = 3;

/**
 * Updates a mirror from its source, and records the outcome, unless the server was stopped meanwhile. Refuses with 413 if
 * the owner's quota is full, with 422 for failures of the source, and with 400 if the repository is no mirror; then no ref
 * has moved. If some refs cannot follow (one may collide with the name of a ref that was kept, say), all others do, and
 * it is refused with 422 as well.
 */
export async function pullMirror(
  services: PullServices,
  mirror: PulledMirror,
  context: CommandContext,
): Promise<Position> {
  const { commands } = services;
  const state = await existing(services, mirror.repositoryId);
  if (!state.mirror) throw badRequest('mirror.none', 'the repository is no mirror');
  // The source may have moved since an earlier attempt, whose steps are thus none of this one.
  const attempt = ownCommand(context);
  const record = async (failure?: string) => {
    const data = { ...(failure !== undefined && { failure }), at: new Date().toISOString() };
    const own = step(attempt, 'pull recorded');
    return (await commands.handle(Repository, mirror.repositoryId, { type: 'RecordPull', data }, own))
      .position;
  };
  try {
    await pull(services, mirror, state, attempt);
  } catch (error) {
    const failure = failureOf(error);
    // Recorded for any error: the next pull is then due an interval later, so that other mirrors get their turn. What the
    // stop of this server ended is due at the next start.
    if (!(error instanceof ServerStopped))
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
    const { actor, requestId } = context;
    const accountId = actor?.id ?? ownerId;
    return remotes.fetch(source, repositoryId, { accountId, onReceived, signal: lost, requestId });
  });
  const arrival = { repositoryId, staging: fetched.staging, changes: changesBetween(refs, fetched.refs) };
  const reservation = await publish(services, arrival, received, context);
  try {
    await follow(services, repositoryId, fetched, reservation, context);
  } catch (error) {
    // The objects are stored even if no ref moved. If the count fails, they are counted once the lease runs out.
    await countAlone(services, repositoryId, context, reservation).catch(() => undefined);
    throw error;
  }
}

/** Fetched objects, and the changes of refs that are to lead to them. */
interface Arrival {
  readonly repositoryId: number;
  readonly staging: Staging;
  readonly changes: readonly RefChange[];
}

/**
 * Moves the fetched objects into the repository. The returned reservation covers the bytes that they take there,
 * including the refs. Releases it on failure.
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

/** Moves the refs as in the source, and retries if another pull was faster. Rejects if not all of them could move. */
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

/** Moves what can be moved. Resolves with the first refusal of a ref, or with undefined if all have moved. */
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
  // Deletions come first, because a deleted branch may be in the way of a new one.
  if (gone.length > 0) await updateRefs(services, { ...pulled, changes: gone }, step(context, 'gone'));
  const named = first !== undefined && refs.has(BRANCHES + first) && { defaultBranch: first };
  const coming = { ...pulled, changes: come, ...named, reservation, atomic: false };
  const { refused } = await pushRefs(services, coming, step(context, 'come'));
  const refusals = [...refused.values()];
  const overtaken = refusals.find(({ code }) => code === REFS_MOVED);
  if (overtaken) throw overtaken;
  return refusals[0];
}

/** Makes `branch`, chosen from those of the source, the default branch if the present one no longer exists. */
async function followHead(
  services: PullServices,
  repositoryId: number,
  branch: string,
  context: CommandContext,
): Promise<void> {
  const { commands } = services;
  const isAsked = async () => {
    const { refs, settings } = await existing(services, repositoryId);
    return !refs.has(BRANCHES + settings.defaultBranch) && refs.has(BRANCHES + branch);
  };
  if (!(await isAsked())) return;
  const command = async () => {
    const data = { settings: (await isAsked()) ? { defaultBranch: branch } : {}, at: context.at };
    return { type: 'EditRepository', data } as const;
  };
  const own = step(context, 'default branch');
  await withHead(
    services,
    repositoryId,
    async () => (await commands.handle(Repository, repositoryId, command, own)).position,
    context,
  );
}

const isDeletion = ({ after }: RefChange) => after === null;

/** Returns the refusal of the pull; undefined for a fault of this server. */
function failureOf(error: unknown): DomainError | undefined {
  if (error instanceof RemoteFailure)
    return new DomainError('invalid', `mirror.${error.reason.replaceAll('-', '_')}`, error.message);
  return error instanceof DomainError ? error : undefined;
}
