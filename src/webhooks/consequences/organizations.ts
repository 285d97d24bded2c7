import { inTheNameOf } from '../../commands/context.js';
import { takeOffIssuesIn, takeOffIssuesOf } from '../../commands/issues/take-off.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { OrganizationEvent } from '../../domain/organizations/organization.js';
import { hasOtherAccess } from '../../domain/organizations/team.js';
import { Repository } from '../../domain/repositories/repository.js';
import { listAccountsAssigned } from '../../queries/issues/assigned.js';
import type { Consequences, FollowingServices } from './consequence.js';

/** What follows from changes to organizations: accounts that lost access to repositories are unassigned from issues. */
export const ofOrganizations: Consequences<OrganizationEvent> = {
  TeamMemberRemoved: {
    follow: (event, services) => takeOff(services, event, [event.data.accountId]),
  },

  MembersLeft: {
    follow: (event, services) => takeOff(services, event, event.data.accountIds),
  },

  TeamEdited: {
    when: (data) => hasOtherAccess(data.before, data),
    follow: takeOffEach,
  },

  TeamDeleted: {
    follow: takeOffEach,
  },

  TeamRepositoryRemoved: {
    async follow(event, services) {
      const { repositoryId } = event.data;
      const { ownerId } = (await services.commands.load(Repository, repositoryId)).state;
      if (ownerId !== Number(event.streamId)) return; // it was transferred: see RepositoryTransferred
      await takeOffIssuesIn(services, repositoryId, inTheNameOf(event, 'take off issues'));
    },
  },
};

/** Unassigns these accounts from issues of the event's organization in repositories to which they have lost access. */
async function takeOff(
  services: FollowingServices,
  event: DomainEvent,
  accountIds: readonly number[],
): Promise<void> {
  const context = inTheNameOf(event, 'take off issues');
  for (const accountId of accountIds)
    await takeOffIssuesOf(services, Number(event.streamId), accountId, context);
}

/** Does the same as `takeOff` for every account that is assigned to an issue of the organization. */
async function takeOffEach(event: DomainEvent, services: FollowingServices): Promise<void> {
  await takeOff(services, event, await listAccountsAssigned(services.db, Number(event.streamId)));
}
