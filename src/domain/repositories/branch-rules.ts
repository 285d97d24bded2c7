import { conflict } from '../errors.js';
import { memoised } from '../memoised.js';
import type { BranchProtection } from './branch-protection.js';
import { globMatcher, globMatches, isGlob } from './glob.js';

/**
 * Returns the rule that applies to a branch: the one with its exact name in any letter case, else the oldest glob that
 * matches; undefined if there is none.
 */
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

/** The code of the refusal of a change that must be judged again. */
export const RULES_CHANGED = 'branch_protection.changed';

/** How many branches are compared. A push of more is judged again after any change of rules. */
const ASKED_AT_MOST = 100;
/** How many characters of branches times characters of rules are compared: the slowest globs take 3 ns for each. */
const COMPARED_AT_MOST = 20_000_000;

/** Refuses a change if another rule applies to one of its branches than the one that it was judged by. */
export function checkRulesKept(
  branches: readonly string[],
  judgedBy: readonly BranchProtection[],
  rules: readonly BranchProtection[],
): void {
  if (judgedBy === rules || JSON.stringify(judgedBy) === JSON.stringify(rules)) return;
  const names = [...judgedBy, ...rules].map(({ ruleName }) => ruleName);
  if (branches.length > ASKED_AT_MOST || charactersIn(branches) * charactersIn(names) > COMPARED_AT_MOST)
    throw conflict(RULES_CHANGED, 'the rules of branches have changed meanwhile: try again');
  const toldBy = (each: readonly BranchProtection[], branch: string) =>
    JSON.stringify(protectionFor(branch, each));
  const branch = branches.find((each) => toldBy(judgedBy, each) !== toldBy(rules, each));
  if (branch !== undefined)
    throw conflict(RULES_CHANGED, `the rules of ${branch} have changed meanwhile: try again`);
}

const charactersIn = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** The account that wants to change a branch. */
export interface Pusher {
  readonly accountId: number;
  /** The teams that the account is in. */
  readonly teamIds: readonly number[];
  /** Whether the account may write code in the repository. */
  readonly writes: boolean;
}

/** Tells whether a rule allows the pusher to push to its branches. */
export function mayPush(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.enablePush || !pusher.writes) return false;
  return !rule.enablePushWhitelist || isListed(pusher, rule.pushWhitelistUserIds, rule.pushWhitelistTeamIds);
}

/** Tells whether a rule allows the pusher to merge into its branches. */
export const mayMerge = (rule: BranchProtection, pusher: Pusher): boolean =>
  rule.enableMergeWhitelist
    ? isListed(pusher, rule.mergeWhitelistUserIds, rule.mergeWhitelistTeamIds)
    : pusher.writes;

const isListed = (
  { accountId, teamIds }: Pusher,
  userIds: readonly number[],
  listedTeamIds: readonly number[],
): boolean => userIds.includes(accountId) || teamIds.some((id) => listedTeamIds.includes(id));

/** A requested change of a protected branch. */
export interface BranchChange {
  readonly deletes: boolean;
  /** Whether commits that are reachable now would not be any more. */
  readonly forces: boolean;
  /** The paths that change. Only required if `asksForFiles` is true, and may be empty otherwise. */
  readonly files: readonly string[];
}

/** Tells whether the result of `refusalByRule` depends on the files that change. */
export const asksForFiles = (rule: BranchProtection, pusher: Pusher): boolean =>
  patternsOf(rule.protectedFilePatterns).length > 0 ||
  (!mayPush(rule, pusher) && patternsOf(rule.unprotectedFilePatterns).length > 0);

/** Returns why a rule refuses a change by push or API, as a message for the pusher; undefined if it allows the change. */
export function refusalByRule(
  rule: BranchProtection,
  pusher: Pusher,
  { deletes, forces, files }: BranchChange,
): string | undefined {
  if (deletes) return 'the branch is protected from deletion';
  if (forces) return 'the branch is protected from forced pushes';
  const touched = files.find(matcherKept(rule.protectedFilePatterns));
  if (touched !== undefined) return `the branch is protected from changes to ${touched}`;
  if (mayPush(rule, pusher)) return undefined;
  const isUnprotected = matcherKept(rule.unprotectedFilePatterns);
  const isFree = pusher.writes && files.length > 0 && files.every(isUnprotected);
  return isFree ? undefined : 'the branch is protected from pushes';
}

const patternsOf = (patterns: string): readonly string[] =>
  patterns
    .split(';')
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '');

/** Returns a function that tells whether a path matches one of the patterns, in any letter case. */
function matcherOf(patterns: string): (path: string) => boolean {
  const matches = globMatcher(...patternsOf(patterns));
  return (path) => matches(path.toLowerCase());
}

/** How many matchers are cached, because a push asks those of few rules over and over. */
const MAX_MATCHERS = 20;

const matcherKept = memoised(matcherOf, MAX_MATCHERS);
