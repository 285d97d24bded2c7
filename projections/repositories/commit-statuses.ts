import type { CommitStatusesEvent } from '../../src/domain/repositories/commit-statuses.js';
import type { RepositoryEvent } from '../../src/domain/repositories/repository-messages.js';
import { projection } from '../projection.js';

/** `commit_statuses`: every status that was reported for a commit of an existing repository. */
export const commitStatuses = projection<CommitStatusesEvent | RepositoryEvent>()({
  name: 'commit-statuses',
  version: 1,
  tables: { commit_statuses: { key: ['repository_id', 'sha', 'id'] } },
  on: {
    CommitStatusReported: ({ data }, { commit_statuses }) =>
      commit_statuses.put({
        repository_id: data.repositoryId,
        sha: data.sha,
        id: data.statusId,
        state: data.state,
        context: data.context,
        description: data.description,
        target_url: data.targetUrl,
        creator_id: data.creatorId,
        created_at: data.reportedAt,
      }),
    RepositoryDeleted: ({ streamId }, { commit_statuses }) =>
      commit_statuses.removeWhere({ repository_id: Number(streamId) }),
  },
});
