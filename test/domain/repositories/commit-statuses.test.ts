import { expect } from 'chai';
import {
  combinedState,
  CommitStatuses,
  type CommitState,
  type CommitStatusesEvent,
} from '../../../src/domain/repositories/commit-statuses.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(CommitStatuses);

const facts = {
  repositoryId: 7,
  sha: 'a'.repeat(40),
  state: 'success',
  targetUrl: '',
  description: '',
  context: 'ci',
  creatorId: 1,
} as const;
const reported = (statusId: number): CommitStatusesEvent => ({
  type: 'CommitStatusReported',
  data: { statusId, ...facts, reportedAt: at },
});
const report = { type: 'ReportCommitStatus', data: { ...facts, at } } as const;

describe('the statuses of a commit', () => {
  it('are counted from 1', () => given().when(report).then(reported(1)));
  it('are counted on, each report another one', () =>
    given(reported(1), reported(2)).when(report).then(reported(3)));

  for (const [states, combined] of [
    [[], 'pending'],
    [['success', 'success'], 'success'],
    [['success', 'pending'], 'pending'],
    [['pending', 'warning', 'success'], 'warning'],
    [['warning', 'failure', 'pending'], 'failure'],
    [['failure', 'error', 'success'], 'failure'],
    [['error'], 'failure'],
  ] as [CommitState[], CommitState][])
    it(`${states.join(', ') || 'none'} make ${combined}`, () => {
      expect(combinedState(states)).to.equal(combined);
    });
});
