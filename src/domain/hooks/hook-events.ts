/** What a hook can be notified of, in the order in which hooks list it, with the words that switch it on. */
const switches = {
  create: ['create'],
  delete: ['delete'],
  fork: ['fork'],
  push: ['push'],
  issues: ['issues', 'issues_only'],
  issue_assign: ['issues', 'issue_assign'],
  issue_label: ['issues', 'issue_label'],
  issue_milestone: ['issues', 'issue_milestone'],
  issue_comment: ['issues', 'issue_comment'],
  pull_request: ['pull_request', 'pull_request_only'],
  pull_request_assign: ['pull_request', 'pull_request_assign'],
  pull_request_label: ['pull_request', 'pull_request_label'],
  pull_request_milestone: ['pull_request', 'pull_request_milestone'],
  pull_request_comment: ['pull_request', 'pull_request_comment'],
  pull_request_review_approved: ['pull_request', 'pull_request_review', 'pull_request_review_approved'],
  pull_request_review_rejected: ['pull_request', 'pull_request_review', 'pull_request_review_rejected'],
  pull_request_review_comment: ['pull_request', 'pull_request_review', 'pull_request_review_comment'],
  pull_request_sync: ['pull_request', 'pull_request_sync'],
  wiki: ['wiki'],
  repository: ['repository'],
  release: ['release'],
  package: ['package'],
  pull_request_review_request: ['pull_request', 'pull_request_review_request'],
  // Only in this server, hence after those that clients know.
  quota_threshold: ['quota_threshold'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A kind of notification, as a hook lists it. Clients may ask for any of them, even those that never occur here. */
export type HookEventName = keyof typeof switches;

export const hookEventNames = Object.keys(switches) as readonly HookEventName[];

const words: ReadonlySet<string> = new Set(Object.values(switches).flat());

/** Tells whether a word, in any letter case, switches something on. */
export const isHookEventWord = (word: string): boolean => words.has(word.toLowerCase());

/** Returns what these words switch on, in canonical order. */
export function hookEventsFor(asked: readonly string[]): readonly HookEventName[] {
  const said = new Set(asked.map((word) => word.toLowerCase()));
  return hookEventNames.filter((name) => switches[name].some((word) => said.has(word)));
}
