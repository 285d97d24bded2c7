import { isLonger } from '../characters.js';
import type { DataOf, Decider, Message } from '../decider.js';
import { difference } from '../difference.js';
import { badRequest, forbidden, invalid, notFound } from '../errors.js';
import type { BranchProtection } from './branch-protection.js';
import type { RepositoryEvent } from './repository-messages.js';

/** The content of a rule, without its times. */
export type ProtectionFacts = Omit<BranchProtection, 'createdAt' | 'updatedAt'>;
/** Changes of a rule; absent fields stay as they are. */
export type ProtectionChanges = {
  readonly [Name in Exclude<keyof ProtectionFacts, 'ruleName'>]?: ProtectionFacts[Name];
};

/** The commands of the branch protection rules. Absent fields of a new rule are off or empty, so that nobody may push. */
export type BranchProtectionsCommand =
  | Message<'AddBranchProtection', { ruleName: string; changes: ProtectionChanges; at: string }>
  | Message<'EditBranchProtection', { ruleName: string; changes: ProtectionChanges; at: string }>
  | Message<'RemoveBranchProtection', { ruleName: string; at: string }>;

/** The events of the branch protection rules. All but the last type carry the whole rule. */
export type BranchProtectionsEvent = Extract<
  RepositoryEvent,
  { type: 'BranchProtectionAdded' | 'BranchProtectionEdited' | 'BranchProtectionRemoved' }
>;

const MAX_RULE_NAME = 255;
/** The maximum number of rules, because each is matched against each branch of a push and of a list. */
const MAX_RULES = 100;
/** The maximum size of a rule's contexts of statuses: each branch of a page shows them. */
const MAX_CONTEXTS_KIB = 32;
/** The maximum size of all texts and lists: a new repository begins with all rules of its template, in one append. */
const MAX_KIB = 512;

/** A rule by which nobody may push, and which requires nothing else. */
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

/** The branch protection rules of a repository, oldest first: a part of the Repository aggregate. */
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
      case 'AddBranchProtection': {
        if (ruleName === '') throw badRequest('branch_protection.rule_missing', '[RuleName]: Required');
        if (isLonger(ruleName, MAX_RULE_NAME))
          throw invalid('branch_protection.rule_long', 'RuleName', `at most ${MAX_RULE_NAME} characters`);
        if (found) throw forbidden('branch_protection.exists', 'a rule of this name already exists');
        if (rules.length >= MAX_RULES)
          throw invalid('branch_protection.too_many', 'RuleName', `a repository has ${MAX_RULES} at most`);
        const added = branchProtectionAdded(data);
        checkSize(added.data.rule, rules);
        return [added];
      }
      case 'EditBranchProtection': {
        const before = orAbsent(found);
        if (!difference(before, data.changes)) return [];
        const rule = { ...before, ...data.changes, updatedAt: at };
        checkSize(rule, rules);
        return [{ type: 'BranchProtectionEdited', data: { rule, before, editedAt: at } }];
      }
      case 'RemoveBranchProtection':
        orAbsent(found);
        return [{ type: 'BranchProtectionRemoved', data: { ruleName, removedAt: at } }];
    }
  },
};

/** Makes the event of a new rule. Checks nothing, because what a template has may be larger than a new rule. */
export const branchProtectionAdded = ({
  ruleName,
  changes,
  at,
}: DataOf<BranchProtectionsCommand, 'AddBranchProtection'>) =>
  ({
    type: 'BranchProtectionAdded',
    data: { rule: { ...plain, ...changes, ruleName, createdAt: at, updatedAt: at }, addedAt: at },
  }) as const;

/** Refuses a rule that is too large, alone or with the others, unless it makes them no larger. */
function checkSize(rule: BranchProtection, rules: readonly BranchProtection[]): void {
  const isBefore = ({ ruleName }: BranchProtection) => ruleName === rule.ruleName;
  const grows = (mostKib: number, after: unknown, before: unknown) =>
    bytesOf(after) > mostKib * 1024 && bytesOf(after) > bytesOf(before);
  if (grows(MAX_CONTEXTS_KIB, rule.statusCheckContexts, rules.find(isBefore)?.statusCheckContexts ?? []))
    throw invalid(
      'branch_protection.contexts_large',
      'StatusCheckContexts',
      `at most ${MAX_CONTEXTS_KIB} KiB together`,
    );
  const after = [...rules.filter((each) => !isBefore(each)), rule];
  if (grows(MAX_KIB, after.map(textsOf), rules.map(textsOf)))
    throw invalid('branch_protection.large', 'RuleName', `a repository has ${MAX_KIB} KiB of rules at most`);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns the texts and lists of a rule; all else in it is small. */
const textsOf = (rule: BranchProtection): unknown[] =>
  Object.values(rule).filter((value) => typeof value === 'string' || typeof value === 'object');

function orAbsent(rule: BranchProtection | undefined): BranchProtection {
  if (!rule) throw notFound('branch_protection.absent', 'no such rule');
  return rule;
}
