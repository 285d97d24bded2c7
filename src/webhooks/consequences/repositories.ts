import { inTheNameOf } from '../../commands/context.js';
import { takeOffIssues, takeOffIssuesIn } from '../../commands/issues/take-off.js';
import { detachFromWhatIsGone } from '../../commands/repositories/create-repository.js';
import { detachForks } from '../../commands/repositories/delete-repository.js';
import { followVisibility } from '../../commands/repositories/edit-repository.js';
import { showWithBase } from '../../commands/repositories/fork-repository.js';
import { moveBetweenTeams } from '../../commands/repositories/transfer-repository.js';
import { DatabaseUnavailable } from '../../database/unavailable.js';
import type { RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { Consequences } from './consequence.js';
import { retire } from './hooks.js';

/**
 * What follows from changes to repositories. Forks follow the visibility of their base, also if that changed while they were
 * made; a transfer moves the repository between teams; accounts that lost access are unassigned from issues. With a
 * repository, its hooks and the credentials of its mirror are deleted, and its forks are detached.
 */
export const ofRepositories: Consequences<RepositoryEvent> = {
  RepositoryCreated: {
    when: ({ baseId }) => baseId !== undefined,
    async follow(event, services) {
      const forkId = Number(event.streamId);
      const { baseId } = event.data;
      await detachFromWhatIsGone(services, forkId, baseId, inTheNameOf(event, 'detach'));
      if (baseId !== undefined)
        await showWithBase(services, { baseId, forkId }, inTheNameOf(event, 'follow visibility'));
    },
  },

  CollaboratorRemoved: {
    async follow(event, services) {
      const context = inTheNameOf(event, 'take off issues');
      await takeOffIssues(services, Number(event.streamId), [event.data.accountId], context);
    },
  },

  RepositoryVisibilityChanged: {
    async follow(event, services) {
      const context = inTheNameOf(event, 'follow visibility');
      await followVisibility(services, Number(event.streamId), context, event.position);
    },
  },

  RepositoryTransferred: {
    async follow(event, services) {
      const repositoryId = Number(event.streamId);
      const { ownerId: recipientId, previousOwnerId: ownerId, teamIds } = event.data;
      if ((await services.commands.load(Repository, repositoryId)).state.ownerId !== recipientId) return;
      // The same command id as the request's, because teams that it gave the repository to may have lost it since.
      const { $causationId: commandId } = event.metadata;
      const context = { ...inTheNameOf(event, 'move'), commandId, repeatable: true };
      const move = { repositoryId, ownerId, recipientId, teamIds };
      const moved = await moveBetweenTeams(services, move, context);
      const following = inTheNameOf(event, 'follow visibility');
      await followVisibility(services, repositoryId, following, event.position);
      // Members of the teams that were given the repository just now may stay assigned.
      if (!(await services.reached(moved))) throw new DatabaseUnavailable('the read models are behind');
      await takeOffIssuesIn(services, repositoryId, inTheNameOf(event, 'take off issues'));
    },
  },

  RepositoryDeleted: {
    async follow(event, services) {
      const repositoryId = Number(event.streamId);
      await services.vault.mirrors.forget(repositoryId);
      const context = inTheNameOf(event, 'detach forks');
      await detachForks(services, repositoryId, event.position, context);
      await retire(services, event, { scope: 'repository', ownerId: repositoryId });
    },
  },
};
