import type { RepositoryEvent } from '../../src/domain/repositories/repository-messages.js';
import { projection } from '../projection.js';

/**
 * Parts of a repository that are queried by themselves: `repository_topics`, `deploy_keys`, `branch_protections`, and
 * `repository_transfers`, which holds transfers that the recipient has neither accepted nor rejected yet.
 */
export const repositoryParts = projection<RepositoryEvent>()({
  name: 'repository-parts',
  version: 1,
  tables: {
    repository_topics: { key: ['repository_id', 'topic'] },
    deploy_keys: { key: ['repository_id', 'id'] },
    branch_protections: { key: ['repository_id', 'rule_name'] },
    repository_transfers: { key: ['repository_id'] },
  },
  on: {
    TopicsReplaced: ({ streamId, data }, { repository_topics }) => {
      const repository_id = Number(streamId);
      const { topics, before, replacedAt: added_at } = data;
      for (const topic of before)
        if (!topics.includes(topic)) repository_topics.remove({ repository_id, topic });
      for (const topic of topics)
        if (!before.includes(topic)) repository_topics.put({ repository_id, topic, added_at });
    },

    DeployKeyAdded: ({ streamId, data }, { deploy_keys }) =>
      deploy_keys.put({
        repository_id: Number(streamId),
        id: data.keyId,
        title: data.title,
        key: data.key,
        fingerprint: data.fingerprint,
        read_only: data.readOnly,
        created_at: data.addedAt,
      }),
    DeployKeyRemoved: ({ streamId, data }, { deploy_keys }) =>
      deploy_keys.remove({ repository_id: Number(streamId), id: data.keyId }),

    BranchProtectionAdded: ({ streamId, position, data }, { branch_protections }) =>
      branch_protections.put({
        repository_id: Number(streamId),
        rule_name: data.rule.ruleName,
        position,
        rule: JSON.stringify(data.rule),
      }),
    BranchProtectionEdited: ({ streamId, data }, { branch_protections }) =>
      branch_protections.patch(
        { repository_id: Number(streamId), rule_name: data.rule.ruleName },
        { rule: JSON.stringify(data.rule) },
      ),
    BranchProtectionRemoved: ({ streamId, data }, { branch_protections }) =>
      branch_protections.remove({ repository_id: Number(streamId), rule_name: data.ruleName }),

    RepositoryTransferRequested: ({ streamId, data }, { repository_transfers }) =>
      repository_transfers.put({
        repository_id: Number(streamId),
        requester_id: data.requesterId,
        recipient_id: data.recipientId,
        team_ids: data.teamIds,
      }),
    RepositoryTransferRejected: ({ streamId }, { repository_transfers }) =>
      repository_transfers.remove({ repository_id: Number(streamId) }),
    RepositoryTransferred: ({ streamId }, { repository_transfers }) =>
      repository_transfers.remove({ repository_id: Number(streamId) }),

    RepositoryDeleted: ({ streamId }, tables) => {
      const repository_id = Number(streamId);
      tables.repository_topics.removeWhere({ repository_id });
      tables.deploy_keys.removeWhere({ repository_id });
      tables.branch_protections.removeWhere({ repository_id });
      tables.repository_transfers.remove({ repository_id });
    },
  },
});
