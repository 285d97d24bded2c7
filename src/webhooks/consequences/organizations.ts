import { takeOffIssuesIn, takeOffIssuesOf } from '../../commands/issues/take-off.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { OrganizationEvent } from '../../domain/organizations/organization.js';
import { hasOtherAccess } from '../../domain/organizations/team.js';
import { Repository } from '../../domain/repositories/repository.js';
import { listAccountsAssigned } from '../../queries/issues/issues.js';
import { inTheNameOf, type Consequences, type FollowingServices } from './consequence.js';

/** Whoever lost access to repositories of an organization is taken off their issues. */
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

/** Takes these accounts off the issues of the organization that the event is about, as far as they have lost access. */
async function takeOff(
  services: FollowingServices,
  event: DomainEvent,
  accountIds: readonly number[],
): Promise<void> {
  for (const accountId of accountIds) {
    const context = inTheNameOf(event, 'take off issues');
    await takeOffIssuesOf(services, Number(event.streamId), accountId, context);
  }
}

/** As `takeOff`, whoever is assigned in the organization. */
async function takeOffEach(event: DomainEvent, services: FollowingServices): Promise<void> {
  await takeOff(services, event, await listAccountsAssigned(services.db, Number(event.streamId)));
}
