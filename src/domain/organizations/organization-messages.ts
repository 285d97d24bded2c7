import type { Message } from '../decider.js';
import type { AskedTeamAccess } from './team-access.js';
import type { TeamFacts } from './team.js';

/** A team as requested; absent fields are not given. */
export type AskedTeam = AskedTeamAccess & {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly includesAllRepositories?: boolean | undefined;
  readonly canCreateRepositories?: boolean | undefined;
};

/**
 * The commands about the teams and members of an organization. The caller has checked the actor's permission. A member of
 * very many teams cannot be removed by one append, nor a repository be taken from them: `LightenMember` takes the member
 * out of a part first, and it and `DetachRepository` are repeated until they give no events.
 */
export type OrganizationCommand =
  | Message<'FoundOrganization', { creatorId: number; ownersTeamId: number; at: string }>
  | Message<'CreateTeam', { teamId: number; team: AskedTeam; at: string }>
  | Message<
      'EditTeam',
      {
        teamId: number;
        changes: AskedTeam;
        /** All repositories of the organization. A team that had access to all of them keeps these, now one by one. */
        repositoryIds?: readonly number[];
        at: string;
      }
    >
  | Message<'DeleteTeam', { teamId: number; at: string }>
  | Message<'AddTeamMember', { teamId: number; accountId: number; at: string }>
  | Message<'RemoveTeamMember', { teamId: number; accountId: number; at: string }>
  | Message<'AddTeamRepositories', { teamId: number; repositoryIds: readonly number[]; at: string }>
  | Message<'RemoveTeamRepository', { teamId: number; repositoryId: number; at: string }>
  /** `isOwned`: the organization still owns the repository, and its teams keep it. */
  | Message<'DetachRepository', { repositoryId: number; isOwned: boolean; at: string }>
  | Message<'LightenMember', { accountId: number; at: string }>
  | Message<'RemoveMember', { accountId: number; at: string }>
  | Message<'PublicizeMembership', { accountId: number; at: string }>
  | Message<'ConcealMembership', { accountId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of an organization's teams and members. `teamName` is the name at that time. */
export type OrganizationEvent =
  | Message<'OrganizationFounded', { creatorId: number; foundedAt: string }>
  | Message<'TeamCreated', { teamId: number } & TeamFacts & { createdAt: string }>
  | Message<'TeamEdited', { teamId: number } & TeamFacts & { before: TeamFacts; editedAt: string }>
  | Message<'TeamDeleted', { teamId: number; name: string; deletedAt: string }>
  | Message<'MemberJoined', { accountId: number; joinedAt: string }>
  | Message<'MembersLeft', { accountIds: readonly number[]; leftAt: string }>
  | Message<'TeamMemberAdded', { teamId: number; teamName: string; accountId: number; addedAt: string }>
  | Message<'TeamMemberRemoved', { teamId: number; teamName: string; accountId: number; removedAt: string }>
  | Message<
      'TeamRepositoriesAdded',
      { teamId: number; teamName: string; repositoryIds: readonly number[]; addedAt: string }
    >
  | Message<
      'TeamRepositoryRemoved',
      { teamId: number; teamName: string; repositoryId: number; removedAt: string }
    >
  | Message<'MembershipPublicized', { accountId: number; publicizedAt: string }>
  | Message<'MembershipConcealed', { accountId: number; concealedAt: string }>;
