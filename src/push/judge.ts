import type { CommandContext } from '../commands/context.js';
import type { Reservation } from '../commands/quota/reservation.js';
import { refsGrowth } from '../commands/repositories/refs-growth.js';
import type { RollingServices } from '../commands/repositories/roll-forward.js';
import type { RefsUpdate } from '../commands/repositories/update-refs.js';
import { DomainError } from '../domain/errors.js';
import { rankOf } from '../domain/organizations/team-access.js';
import { QuotaExceeded } from '../domain/quota/quota-exceeded.js';
import { subjectOf } from '../domain/quota/subjects.js';
import type { Pusher } from '../domain/repositories/branch-rules.js';
import { shortName, type RefChange } from '../domain/repositories/refs.js';
import { Refused } from '../http/refused.js';
import type { RepositoryMet } from '../http/repositories/place.js';
import { judgeBranches } from './judge-branches.js';
import { settingsAsked } from './options.js';
import { Quarantine } from './quarantine.js';
import { PushRefused } from './refused.js';

/** A push that has arrived, as git describes it before any ref moves. */
export interface ArrivedPush {
  readonly repositoryId: number;
  readonly changes: readonly RefChange[];
  readonly options: readonly string[];
  /** The path of the folder with its objects; empty if it has none. */
  readonly quarantinePath: string;
}

/** Checks the right to push again, because a push may take long to arrive. Throws if it has been lost. */
export type Admission = () => Promise<{ readonly met: RepositoryMet; readonly pusher: Pusher }>;

/** With what a push is judged: `context` is that of the reservation, and `signal` ends the judging. */
interface Judging {
  readonly admission: Admission;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

/** What an accepted push needs to move its refs. */
export interface Judgement extends Required<Pick<RefsUpdate, 'judgedBy' | 'mayStill'>> {
  /** The quota reserved for it; absent if it only deletes. */
  readonly reservation?: Reservation;
}

/** Judges a push as a whole and reserves quota for its bytes; deletions need none. Throws `PushRefused`. */
export async function judge(
  services: RollingServices,
  push: ArrivedPush,
  { admission, context, signal }: Judging,
): Promise<Judgement> {
  const mayStill = async () => {
    const admitted = await admission().catch(refuseInWords);
    refuseOptions(push.options, admitted.met, context);
    return admitted;
  };
  const { met, pusher } = await mayStill();
  refuseRepeated(push.changes);
  const quarantine =
    push.quarantinePath === ''
      ? undefined
      : await Quarantine.at(services.git, push.repositoryId, push.quarantinePath, signal);
  const reservation = await reserve(services, push, met, quarantine, context);
  try {
    const judgedBy = await judgeBranches(services, push, { pusher, quarantine, signal });
    return { judgedBy, mayStill, ...(reservation && { reservation }) };
  } catch (error) {
    if (reservation) await services.storage.release(reservation, context);
    throw error;
  }
}

async function reserve(
  services: RollingServices,
  { repositoryId, changes }: ArrivedPush,
  { repository }: RepositoryMet,
  quarantine: Quarantine | undefined,
  context: CommandContext,
): Promise<Reservation | undefined> {
  if (changes.every(({ after }) => after === null)) return undefined;
  const objects = (await quarantine?.bytes()) ?? 0n;
  const bytes = objects + (await refsGrowth(services, repositoryId, changes));
  const subject = subjectOf({ isPrivate: repository.is_private });
  try {
    return await services.storage.reserve(
      repository.owner_id,
      { objectId: String(repositoryId), subject, bytes },
      context,
    );
  } catch (error) {
    if (error instanceof QuotaExceeded) throw new PushRefused(error.explanation);
    throw error;
  }
}

/** Refuses a push that names a ref more than once, as some clients do whose refspecs overlap: only one of them could count. */
function refuseRepeated(changes: readonly RefChange[]): void {
  const named = new Set<string>();
  for (const { ref } of changes) {
    if (named.has(ref)) throw new PushRefused(`${shortName(ref)} is named twice: push it once`);
    named.add(ref);
  }
}

/** Refuses options that change settings unless the caller administers the repository; forks follow their base. */
function refuseOptions(
  options: readonly string[],
  { rank, repository }: RepositoryMet,
  { publicOnly }: CommandContext,
): void {
  const asked = settingsAsked(options);
  if (Object.keys(asked).length === 0) return;
  if (rank < rankOf('admin'))
    throw new PushRefused('only administrators of the repository may give these options');
  if (repository.base_id !== null) throw new PushRefused('these options do not go with a fork');
  if (asked.isPrivate && publicOnly) throw new PushRefused('the token reaches only what is public');
}

function refuseInWords(error: unknown): never {
  if (error instanceof DomainError || error instanceof Refused) throw new PushRefused(error.message);
  throw error;
}
