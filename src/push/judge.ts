import type { CommandContext } from '../commands/context.js';
import type { Reservation } from '../commands/quota/storage.js';
import { refsGrowth } from '../commands/repositories/refs-growth.js';
import { subjectOf, type RollingServices } from '../commands/repositories/roll-forward.js';
import type { RefsUpdate } from '../commands/repositories/update-refs.js';
import { DomainError } from '../domain/errors.js';
import { rankOf } from '../domain/organizations/team-access.js';
import { QuotaExceeded } from '../domain/quota/quota-exceeded.js';
import {
  asksForFiles,
  protectionFor,
  refusalByRule,
  type Pusher,
} from '../domain/repositories/branch-protections.js';
import type { BranchProtection } from '../domain/repositories/branch-protection.js';
import { BRANCHES, isRefName, type RefChange, type Refs } from '../domain/repositories/refs.js';
import { Repository } from '../domain/repositories/repository.js';
import { Refused } from '../http/refused.js';
import { inParts } from '../in-parts.js';
import { Turns } from '../turns.js';
import type { RepositoryMet } from '../http/repositories/place.js';
import { settingsAsked } from './options.js';
import { Quarantine } from './quarantine.js';
import { PushRefused } from './refused.js';

/** A push that has arrived, as git tells it before anything moves. */
export interface ArrivedPush {
  readonly repositoryId: number;
  readonly changes: readonly RefChange[];
  readonly options: readonly string[];
  /** Where its objects wait; empty where it brought none. */
  readonly quarantinePath: string;
}

/** Who pushes, asked anew: a push may take long to arrive. Throws where the right to push is gone. */
export type Admission = () => Promise<{ readonly met: RepositoryMet; readonly pusher: Pusher }>;

/** With what an accepted push moves its refs. */
export interface Judgement extends Required<Pick<RefsUpdate, 'judgedBy' | 'mayStill'>> {
  /** The room that is kept for it; none where it only deletes. */
  readonly reservation?: Reservation;
}

/** Decides on a whole push and keeps room for its bytes; deleting takes none, and always may happen. Throws `PushRefused`. */
export async function judge(
  services: RollingServices,
  push: ArrivedPush,
  admission: Admission,
  context: CommandContext,
): Promise<Judgement> {
  const mayStill = async () => {
    const admitted = await admission().catch(refuseInWords);
    refuseOptions(push.options, admitted.met);
    return admitted;
  };
  const { met, pusher } = await mayStill();
  const quarantine =
    push.quarantinePath === ''
      ? undefined
      : new Quarantine(services.git, push.repositoryId, push.quarantinePath);
  const reservation = await reserve(services, push, met, quarantine, context);
  try {
    const judgedBy = await judgeBranches(services, push, pusher, quarantine);
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

/** Changing what a repository is takes its administrator, and a fork is as visible as its base. */
function refuseOptions(options: readonly string[], { rank, repository }: RepositoryMet): void {
  if (Object.keys(settingsAsked(options)).length === 0) return;
  if (rank < rankOf('admin'))
    throw new PushRefused('only administrators of the repository may give these options');
  if (repository.base_id !== null) throw new PushRefused('these options do not go with a fork');
}

/** A path that is longer cannot be read either. */
const MAX_PATH = 4_096;
/** Characters of paths that are looked at in one turn. */
const PART = 16 * 1024;
const RULES_MS = 30_000;

/** Asks rules, which their writers make as hard to answer as they like, of as much as is pushed: for some time at most. */
function askingRules() {
  const turns = new Turns();
  return async <T>(ask: () => T): Promise<T> => {
    const said = await turns.take(ask);
    if (turns.spentMs > RULES_MS)
      throw new PushRefused('the rules of branches take too long for so much at once: push less');
    return said;
  };
}

/** Resolves with the rules that it judged by. */
async function judgeBranches(
  { commands }: RollingServices,
  { repositoryId, changes }: ArrivedPush,
  pusher: Pusher,
  quarantine: Quarantine | undefined,
): Promise<readonly BranchProtection[]> {
  const { settings, branchProtections, refs } = (await commands.load(Repository, repositoryId)).state;
  const asked = askingRules();
  for (const change of changes) {
    if (!change.ref.startsWith(BRANCHES)) continue;
    if (!refs.has(change.ref) && !isRefName(change.ref)) continue; // which is not made, whatever rules say
    const branch = change.ref.slice(BRANCHES.length);
    if (change.after === null && branch === settings.defaultBranch)
      throw new PushRefused(`${branch} is the default branch and cannot be deleted`);
    const rule = await asked(() => protectionFor(branch, branchProtections));
    const refusal = rule && (await refusalFor(rule, refs, change, pusher, quarantine, asked));
    if (refusal !== undefined) throw new PushRefused(`${branch}: ${refusal}`);
  }
  return branchProtections;
}

/** A push tells where it believes the branch to be: that is no ground to judge on, and need not even exist. */
async function refusalFor(
  rule: BranchProtection,
  refs: Refs,
  { ref, before: believed, after }: RefChange,
  pusher: Pusher,
  quarantine: Quarantine | undefined,
  asked: ReturnType<typeof askingRules>,
): Promise<string | undefined> {
  if (after === null) return refusalByRule(rule, pusher, { deletes: true, forces: false, files: [] });
  const before = refs.get(ref) ?? null;
  if (before !== believed && before !== after) return 'the branch has moved meanwhile: fetch first';
  if (!quarantine) throw new Error('objects without a quarantine');
  if (!(await quarantine.isCommit(after))) return 'the branch would be no commit';
  const forces = before !== null && !(await quarantine.isAncestor(before, after));
  if (!forces && rule.requireSignedCommits) {
    const unsigned = await quarantine.unsignedCommit(before, after);
    if (unsigned !== undefined) return `the branch takes signed commits only, and ${unsigned} is not signed`;
  }
  const asks = !forces && asksForFiles(rule, pusher);
  const paths = asks ? await quarantine.changedPaths(before, after) : [];
  if (paths.some(({ length }) => length > MAX_PATH)) return 'the path of a file is too long for its rules';
  const parts = paths.length > 0 ? inParts(paths, PART, ({ length }) => length) : [[]];
  for (const files of parts) {
    const refusal = await asked(() => refusalByRule(rule, pusher, { deletes: false, forces, files }));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refuseInWords(error: unknown): never {
  if (error instanceof DomainError || error instanceof Refused) throw new PushRefused(error.message);
  throw error;
}
