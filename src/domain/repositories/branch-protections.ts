import type { Decider, Message } from '../decider.js';
import { badRequest, conflict, forbidden, invalid, notFound } from '../errors.js';
import type { BranchProtection } from './branch-protection.js';
import { globMatcher, globMatches, isGlob } from './glob.js';
import type { RepositoryEvent } from './repository-messages.js';

/** What a rule says, as opposed to when it was written. */
export type ProtectionFacts = Omit<BranchProtection, 'createdAt' | 'updatedAt'>;
/** What is absent stays. */
export type ProtectionChanges = {
  readonly [Name in Exclude<keyof ProtectionFacts, 'ruleName'>]?: ProtectionFacts[Name];
};

/** What the rules over branches are told. What a new rule leaves out is off or empty, so nobody may push. */
export type BranchProtectionsCommand =
  | Message<'AddBranchProtection', { ruleName: string; changes: ProtectionChanges; at: string }>
  | Message<'EditBranchProtection', { ruleName: string; changes: ProtectionChanges; at: string }>
  | Message<'RemoveBranchProtection', { ruleName: string; at: string }>;

/** The events that the rules over branches are folded from; all but the last carry the whole rule. */
export type BranchProtectionsEvent = Extract<
  RepositoryEvent,
  { type: 'BranchProtectionAdded' | 'BranchProtectionEdited' | 'BranchProtectionRemoved' }
>;

const MAX_RULE_NAME = 255;
/** Each is asked about each branch of a push and of a list. */
const MAX_RULES = 100;

/** A rule that lets nobody push and asks for nothing else. */
const plain = {
  enablePush: false,
  enablePushWhitelist: false,
  pushWhitelistUserIds: [],
  pushWhitelistTeamIds: [],
  pushWhitelistDeployKeys: false,
  enableMergeWhitelist: false,
  mergeWhitelistUserIds: [],
  mergeWhitelistTeamIds: [],
  enableStatusCheck: false,
  statusCheckContexts: [],
  requiredApprovals: 0,
  enableApprovalsWhitelist: false,
  approvalsWhitelistUserIds: [],
  approvalsWhitelistTeamIds: [],
  blockOnRejectedReviews: false,
  blockOnOfficialReviewRequests: false,
  blockOnOutdatedBranch: false,
  dismissStaleApprovals: false,
  ignoreStaleApprovals: false,
  requireSignedCommits: false,
  protectedFilePatterns: '',
  unprotectedFilePatterns: '',
  applyToAdmins: false,
} satisfies Required<ProtectionChanges>;

/** The rules over the branches of a repository, oldest first: a part of the Repository aggregate. */
export const BranchProtections: Decider<
  BranchProtectionsCommand,
  BranchProtectionsEvent,
  readonly BranchProtection[]
> = {
  category: 'repository',
  initialState: [],

  evolve(rules, { type, data }) {
    switch (type) {
      case 'BranchProtectionAdded':
        return [...rules, data.rule];
      case 'BranchProtectionEdited':
        return rules.map((rule) => (rule.ruleName === data.rule.ruleName ? data.rule : rule));
      case 'BranchProtectionRemoved':
        return rules.filter(({ ruleName }) => ruleName !== data.ruleName);
    }
  },

  decide({ type, data }, rules) {
    const { ruleName, at } = data;
    const found = rules.find((rule) => rule.ruleName === ruleName);
    switch (type) {
      case 'AddBranchProtection':
        if (ruleName === '') throw badRequest('branch_protection.rule_missing', '[RuleName]: Required');
        if (ruleName.length > MAX_RULE_NAME)
          throw invalid('branch_protection.rule_long', 'RuleName', `at most ${MAX_RULE_NAME} characters`);
        if (found) throw forbidden('branch_protection.exists', 'a rule of this name exists');
        if (rules.length >= MAX_RULES)
          throw invalid('branch_protection.too_many', 'RuleName', `a repository has ${MAX_RULES} at most`);
        return [
          {
            type: 'BranchProtectionAdded',
            data: {
              rule: { ...plain, ...data.changes, ruleName, createdAt: at, updatedAt: at },
              addedAt: at,
            },
          },
        ];
      case 'EditBranchProtection': {
        const before = orAbsent(found);
        const after = { ...before, ...data.changes };
        if (JSON.stringify(after) === JSON.stringify(before)) return [];
        const rule = { ...after, updatedAt: at };
        return [{ type: 'BranchProtectionEdited', data: { rule, before, editedAt: at } }];
      }
      case 'RemoveBranchProtection':
        orAbsent(found);
        return [{ type: 'BranchProtectionRemoved', data: { ruleName, removedAt: at } }];
    }
  },
};

function orAbsent(rule: BranchProtection | undefined): BranchProtection {
  if (!rule) throw notFound('branch_protection.absent', 'no such rule');
  return rule;
}

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

/** Of more branches it is not asked which of them a changed rule is about. */
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
  const shut = patternsOf(rule.protectedFilePatterns).map(globMatcher);
  const touched = files.find((path) => isUnder(path, shut));
  if (touched !== undefined) return `the branch is protected from changes to ${touched}`;
  if (mayPush(rule, pusher)) return undefined;
  const free = patternsOf(rule.unprotectedFilePatterns).map(globMatcher);
  const allFree = pusher.writes && files.length > 0 && files.every((path) => isUnder(path, free));
  return allFree ? undefined : 'the branch is protected from pushes';
}

const patternsOf = (patterns: string): readonly string[] =>
  patterns
    .split(';')
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '');

function isUnder(path: string, patterns: readonly ReturnType<typeof globMatcher>[]): boolean {
  const lower = path.toLowerCase();
  return patterns.some((matches) => matches(lower));
}
