import { conflict } from '../errors.js';
import type { BranchProtection } from './branch-protection.js';
import { globMatcher, globMatches, isGlob } from './glob.js';

/** The rule that applies to a branch: by its very name in any letter case, else the oldest glob; undefined for none. */
export function protectionFor(
  branch: string,
  rules: readonly BranchProtection[],
): BranchProtection | undefined {
  const lower = branch.toLowerCase();
  return (
    rules.find(({ ruleName }) => ruleName.toLowerCase() === lower) ??
    rules.find(({ ruleName }) => isGlob(ruleName) && globMatches(ruleName, branch))
  );
}

/** The code of the refusal of what has to be judged again. */
export const RULES_CHANGED = 'branch_protection.changed';

/** A push of more branches is judged again after any change of rules, whichever of them it is about. */
const ASKED_AT_MOST = 100;

/** Refuses a change of branches one of which was judged by another rule, or none. */
export function checkRulesKept(
  branches: readonly string[],
  judgedBy: readonly BranchProtection[],
  rules: readonly BranchProtection[],
): void {
  if (judgedBy === rules || JSON.stringify(judgedBy) === JSON.stringify(rules)) return;
  const toldBy = (each: readonly BranchProtection[], branch: string) =>
    JSON.stringify(protectionFor(branch, each));
  const branch = branches
    .slice(0, ASKED_AT_MOST)
    .find((each) => toldBy(judgedBy, each) !== toldBy(rules, each));
  if (branch !== undefined)
    throw conflict(RULES_CHANGED, `the rules of ${branch} have changed meanwhile: try again`);
  if (branches.length > ASKED_AT_MOST)
    throw conflict(RULES_CHANGED, 'the rules of branches have changed meanwhile: try again');
}

/** Who wants to change a branch. */
export interface Pusher {
  readonly accountId: number;
  /** The teams that this one is in. */
  readonly teamIds: readonly number[];
  /** May write code in the repository. */
  readonly writes: boolean;
}

/** Whether a rule lets somebody push to the branches that it is about. */
export function mayPush(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.enablePush || !pusher.writes) return false;
  return !rule.enablePushWhitelist || isListed(pusher, rule.pushWhitelistUserIds, rule.pushWhitelistTeamIds);
}

/** Whether a rule lets somebody merge into the branches that it is about. */
export const mayMerge = (rule: BranchProtection, pusher: Pusher): boolean =>
  rule.enableMergeWhitelist
    ? isListed(pusher, rule.mergeWhitelistUserIds, rule.mergeWhitelistTeamIds)
    : pusher.writes;

const isListed = (
  { accountId, teamIds }: Pusher,
  userIds: readonly number[],
  listedTeamIds: readonly number[],
): boolean => userIds.includes(accountId) || teamIds.some((id) => listedTeamIds.includes(id));

/** What is to become of a protected branch. */
export interface BranchChange {
  readonly deletes: boolean;
  /** What was reachable before would not be any more. */
  readonly forces: boolean;
  /** The paths that change; asked for where `asksForFiles` says so, and maybe empty otherwise. */
  readonly files: readonly string[];
}

/** Whether what `refusalByRule` says hangs on the files that change. */
export const asksForFiles = (rule: BranchProtection, pusher: Pusher): boolean =>
  patternsOf(rule.protectedFilePatterns).length > 0 ||
  (!mayPush(rule, pusher) && patternsOf(rule.unprotectedFilePatterns).length > 0);

/** Why a rule refuses a change by push or through the API, in words for the one who wants it; undefined where it does not. */
export function refusalByRule(
  rule: BranchProtection,
  pusher: Pusher,
  { deletes, forces, files }: BranchChange,
): string | undefined {
  if (deletes) return 'the branch is protected from deletion';
  if (forces) return 'the branch is protected from forced pushes';
  const touched = files.find(matcherOf(rule.protectedFilePatterns));
  if (touched !== undefined) return `the branch is protected from changes to ${touched}`;
  if (mayPush(rule, pusher)) return undefined;
  const isUnprotected = matcherOf(rule.unprotectedFilePatterns);
  const isFree = pusher.writes && files.length > 0 && files.every(isUnprotected);
  return isFree ? undefined : 'the branch is protected from pushes';
}

const patternsOf = (patterns: string): readonly string[] =>
  patterns
    .split(';')
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '');

/** Whether a path matches one of the patterns, in any letter case. */
function matcherOf(patterns: string): (path: string) => boolean {
  const matchers = patternsOf(patterns).map(globMatcher);
  return (path) => {
    const lower = path.toLowerCase();
    return matchers.some((matches) => matches(lower));
  };
}
