import type { Decider, Message } from '../decider.js';

/** From the worst to the best: of several the worst counts. */
export const commitStates = ['error', 'failure', 'warning', 'pending', 'success'] as const;
/** How it stands with what was run on a commit, in the API's words. */
export type CommitState = (typeof commitStates)[number];

type Facts = {
  readonly repositoryId: number;
  /** The whole hash of the commit. */
  readonly sha: string;
  readonly state: CommitState;
  readonly targetUrl: string;
  readonly description: string;
  /** What reported it: of two with one context the newer counts. */
  readonly context: string;
  readonly creatorId: number;
};

/** A report about one commit. It is never refused, and the same twice is two reports. */
export type CommitStatusesCommand = Message<'ReportCommitStatus', Facts & { at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** A report that was taken; `statusId` counts those of this commit, from 1. */
export type CommitStatusesEvent = Message<
  'CommitStatusReported',
  { statusId: number } & Facts & { reportedAt: string }
>;

/** The stream of a commit's statuses is named after the repository and the commit. */
export const commitStatusesId = (repositoryId: number, sha: string): string => `${repositoryId}-${sha}`;

/** What was reported about one commit in one repository, counted from 1. */
export const CommitStatuses: Decider<CommitStatusesCommand, CommitStatusesEvent, { readonly count: number }> =
  {
    category: 'status',
    initialState: { count: 0 },

    evolve: (_, { data }) => ({ count: data.statusId }),

    decide({ data: { at, ...facts } }, { count }) {
      return [{ type: 'CommitStatusReported', data: { statusId: count + 1, ...facts, reportedAt: at } }];
    },
  };

/**
 * The one state of a commit with these states, the newest of each context: pending without any, a failure where something
 * went wrong.
 */
export function combinedState(states: readonly CommitState[]): CommitState {
  const worst = commitStates.find((state) => states.includes(state)) ?? 'pending';
  return worst === 'error' ? 'failure' : worst;
}
