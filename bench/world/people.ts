import { Account } from '../../src/domain/accounts/account.js';
import { Organization } from '../../src/domain/organizations/organization.js';
import type { OrganizationCommand } from '../../src/domain/organizations/organization-messages.js';
import type { Owner, Plan } from './plan.js';
import { after, told, type Story } from './story.js';
import { wordOf } from './words.js';

/**
 * Yields every user, then every organization with its teams. Their names are never claimed again, so they are not
 * reserved.
 */
export function* peopleOf(plan: Plan): Generator<Story> {
  const { users, organizations } = plan.size;
  for (let number = 0; number < users; number++) yield account(plan.user(number), 'user', number);
  for (let number = 0; number < organizations; number++) {
    yield organization(plan, number);
    yield account(plan.organization(number), 'organization', users + number);
  }
}

function account({ id, name }: Owner, kind: 'user' | 'organization', number: number): Story {
  const data = {
    accountId: id,
    name,
    email: `${name}@example.org`,
    fullName: `${wordOf(number + 3)} ${wordOf(number + 5)}`,
    loginName: '',
    kind,
    sourceId: 0,
    visibility: 'public',
    restricted: false,
    mustChangePassword: false,
    createdAt: after(number),
  } as const;
  return told(Account, id, { id, name }, [{ type: 'CreateAccount', data }]);
}

const MEMBERS_A_TEAM = 2;

function organization(plan: Plan, number: number): Story {
  const { users } = plan.size;
  const { id } = plan.organization(number);
  const founder = plan.user(number % users);
  const firstTeam = plan.ids.team + number * plan.teamsEach;
  const at = after(users + number);
  const commands: OrganizationCommand[] = [
    { type: 'FoundOrganization', data: { creatorId: founder.id, ownersTeamId: firstTeam, at } },
  ];
  for (let place = 1; place < plan.teamsEach; place++) {
    const teamId = firstTeam + place;
    const team = { name: wordOf(teamId), permission: 'write', units: ['repo.code', 'repo.issues'] };
    commands.push({ type: 'CreateTeam', data: { teamId, team, at } });
    for (let member = 0; member < MEMBERS_A_TEAM; member++) {
      const accountId = plan.user((number * 7 + place * MEMBERS_A_TEAM + member) % users).id;
      commands.push({ type: 'AddTeamMember', data: { teamId, accountId, at } });
    }
  }
  if (number === 0) commands.push(...atHome(plan, at));
  return told(Organization, id, founder, commands);
}

/** Many members of the reader's team, which has its hidden repositories one by one. */
function* atHome(plan: Plan, at: string): Generator<OrganizationCommand> {
  const teamId = plan.readersTeam;
  for (let number = 0; number < plan.members; number++) {
    const accountId = plan.user(number).id;
    yield { type: 'AddTeamMember', data: { teamId, accountId, at } };
    yield { type: 'PublicizeMembership', data: { accountId, at } };
  }
  const repositoryIds = Array.from({ length: plan.size.repositories }, (_, number) => number)
    .filter((number) => plan.wayOf(number) === 'team')
    .map((number) => plan.repositoryId(number));
  yield { type: 'AddTeamRepositories', data: { teamId, repositoryIds, at } };
}
