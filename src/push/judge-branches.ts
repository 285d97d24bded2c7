import type { RollingServices } from '../commands/repositories/roll-forward.js';
import { askingRules, refusalByFiles, type AskingRules } from '../commands/repositories/rules-on-files.js';
import { protectionFor, refusalByRule, type Pusher } from '../domain/repositories/branch-rules.js';
import type { BranchProtection } from '../domain/repositories/branch-protection.js';
import {
  baseOfNew,
  BRANCHES,
  hasArrived,
  hasMoved,
  isRefName,
  movedMeanwhile,
  type RefChange,
  type Refs,
} from '../domain/repositories/refs.js';
import { Repository } from '../domain/repositories/repository.js';
import type { Hash } from '../git/port/hash.js';
import type { ArrivedPush } from './judge.js';
import type { Quarantine } from './quarantine.js';
import { PushRefused } from './refused.js';

/** What the branches of a push are judged by, besides their rules. */
interface Grounds {
  readonly pusher: Pusher;
  /** The refs according to the log. A push only tells where the client believes a branch to be. */
  readonly refs: Refs;
  /** The commit that new branches are compared with; undefined if there is none. */
  readonly base: Hash | undefined;
  /** The pushed objects; undefined if there are none. */
  readonly quarantine: Quarantine | undefined;
  readonly asked: AskingRules;
}

/**
 * Checks a push against the branch protection rules, that it does not delete the default branch, and that others have not
 * overtaken all of it, while its objects can still be dropped. Rejects with `PushRefused` if it is not allowed; resolves
 * with the rules that it was judged by. `signal` ends the judging.
 */
export async function judgeBranches(
  { commands }: RollingServices,
  { repositoryId, changes }: ArrivedPush,
  { pusher, quarantine, signal }: Pick<Grounds, 'pusher' | 'quarantine'> & { readonly signal: AbortSignal },
): Promise<readonly BranchProtection[]> {
  const { state } = await commands.load(Repository, repositoryId);
  const { settings, branchProtections, refs } = state;
  const asked = askingRules(signal);
  const grounds = { pusher, refs, base: baseOfNew(state), quarantine, asked };
  for (const change of changes) {
    if (!change.ref.startsWith(BRANCHES)) continue;
    if (!refs.has(change.ref) && !isRefName(change.ref)) continue; // such a ref is not created anyway
    const branch = change.ref.slice(BRANCHES.length);
    if (change.after === null && branch === settings.defaultBranch)
      throw new PushRefused(`${branch} is the default branch and cannot be deleted`);
    const rule = await asked(() => protectionFor(branch, branchProtections));
    const refusal = rule && (await refusalFor(rule, change, grounds));
    if (refusal !== undefined) throw new PushRefused(`${branch}: ${refusal}`);
  }
  const [overtaken] = changes;
  if (overtaken && changes.every((change) => isOvertaken(refs, change)))
    throw new PushRefused(movedMeanwhile(overtaken.ref).message);
  return branchProtections;
}

/** Tells whether somebody else has moved a ref, and not to where it is to go. */
const isOvertaken = (refs: Refs, change: RefChange): boolean =>
  hasMoved(refs, change) && !hasArrived(refs, change);

/** Returns why a rule forbids a change of a branch; undefined if it allows it. */
async function refusalFor(
  rule: BranchProtection,
  change: RefChange,
  { pusher, refs, base, quarantine, asked }: Grounds,
): Promise<string | undefined> {
  const { ref, after } = change;
  if (after === null) return refusalByRule(rule, pusher, { deletes: true, forces: false, files: [] });
  if (isOvertaken(refs, change)) return 'the branch has moved meanwhile: fetch first';
  if (!quarantine) throw new Error('objects without a quarantine');
  const before = refs.get(ref) ?? null;
  if (!(await quarantine.isCommit(after))) return 'the branch would be no commit';
  if (before !== null && !(await quarantine.isAncestor(before, after)))
    return refusalByRule(rule, pusher, { deletes: false, forces: true, files: [] });
  if (rule.requireSignedCommits) {
    const unsigned = await quarantine.unsignedCommit(before, after);
    if (unsigned !== undefined) return `the branch takes signed commits only, and ${unsigned} is not signed`;
  }
  const paths = () => quarantine.changedPaths(before ?? base, after);
  return await refusalByFiles({ rule, pusher, paths, asked });
}
