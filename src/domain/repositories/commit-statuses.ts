import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';

/** From the worst to the best. Of several states, the worst one counts. */
export const commitStates = ['error', 'failure', 'warning', 'pending', 'success'] as const;
/** The state of something that was run on a commit, as the API spells it. */
export type CommitState = (typeof commitStates)[number];

type Facts = {
  readonly repositoryId: number;
  /** The whole hash of the commit. */
  readonly sha: string;
  readonly state: CommitState;
  readonly targetUrl: string;
  readonly description: string;
  /** What reported the status. Of several statuses with the same context, the newest counts. */
  readonly context: string;
  readonly creatorId: number;
};

/** Reports a status of a commit. Never refused; repeated reports are separate statuses. */
export type CommitStatusesCommand = Message<'ReportCommitStatus', Facts & { at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** A status was reported. `statusId` counts those of the commit, from 1. */
export type CommitStatusesEvent = Message<
  'CommitStatusReported',
  { statusId: number } & Facts & { reportedAt: string }
>;

/** Returns the id of the stream of a commit's statuses. */
export const commitStatusesId = (repositoryId: number, sha: string): string => `${repositoryId}-${sha}`;

/** The statuses of one commit in one repository, counted from 1. */
export const CommitStatuses: Decider<CommitStatusesCommand, CommitStatusesEvent, { readonly count: number }> =
  {
    category: 'status',
    initialState: { count: 0 },
    snapshot: snapshotForm(1),

    evolve: (_, { data }) => ({ count: data.statusId }),

    decide({ data: { at, ...facts } }, { count }) {
      return [{ type: 'CommitStatusReported', data: { statusId: count + 1, ...facts, reportedAt: at } }];
    },
  };

/**
 * Combines the latest states of all contexts into that of the commit: `pending` if there are none, and `failure` for an
 * `error`.
 */
export function combinedState(states: readonly CommitState[]): CommitState {
  const worst = commitStates.find((state) => states.includes(state)) ?? 'pending';
  return worst === 'error' ? 'failure' : worst;
}
