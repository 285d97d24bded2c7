import { expect } from 'chai';
import { isLastOwner } from '../../../src/domain/organizations/memberships.js';
import { Organization, type OrganizationEvent } from '../../../src/domain/organizations/organization.js';
import { ownerAccess } from '../../../src/domain/organizations/team-access.js';
import { hasOtherAccess, type TeamFacts } from '../../../src/domain/organizations/team.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const OWNERS = 1;
const ALICE = 10;
const BOB = 11;
const CAROL = 12;

const { given } = specification(Organization);

const owners: TeamFacts = {
  name: 'Owners',
  description: '',
  ...ownerAccess,
  includesAllRepositories: true,
  canCreateRepositories: true,
};
const readers: TeamFacts = {
  name: 'readers',
  description: '',
  permission: 'read',
  units: { 'repo.code': 'read' },
  includesAllRepositories: false,
  canCreateRepositories: false,
};
const created = (teamId: number, facts: TeamFacts): OrganizationEvent => ({
  type: 'TeamCreated',
  data: { teamId, ...facts, createdAt: at },
});
const joined = (accountId: number): OrganizationEvent => ({
  type: 'MemberJoined',
  data: { accountId, joinedAt: at },
});
const left = (...accountIds: number[]): OrganizationEvent => ({
  type: 'MembersLeft',
  data: { accountIds, leftAt: at },
});
const added = (teamId: number, accountId: number, teamName = 'readers'): OrganizationEvent => ({
  type: 'TeamMemberAdded',
  data: { teamId, teamName, accountId, addedAt: at },
});
const removed = (teamId: number, accountId: number, teamName = 'readers'): OrganizationEvent => ({
  type: 'TeamMemberRemoved',
  data: { teamId, teamName, accountId, removedAt: at },
});
const publicized = (accountId: number): OrganizationEvent => ({
  type: 'MembershipPublicized',
  data: { accountId, publicizedAt: at },
});
const concealed = (accountId: number): OrganizationEvent => ({
  type: 'MembershipConcealed',
  data: { accountId, concealedAt: at },
});
const founded: readonly OrganizationEvent[] = [
  { type: 'OrganizationFounded', data: { creatorId: ALICE, foundedAt: at } },
  created(OWNERS, owners),
  joined(ALICE),
  added(OWNERS, ALICE, 'Owners'),
];
/** Alice owns, Bob reads. */
const history = [...founded, created(2, readers), joined(BOB), added(2, BOB)];

const add = (teamId: number, accountId: number) =>
  ({ type: 'AddTeamMember', data: { teamId, accountId, at } }) as const;
const remove = (teamId: number, accountId: number) =>
  ({ type: 'RemoveTeamMember', data: { teamId, accountId, at } }) as const;
const expel = (accountId: number) => ({ type: 'RemoveMember', data: { accountId, at } }) as const;
const lighten = (accountId: number) => ({ type: 'LightenMember', data: { accountId, at } }) as const;
const create = (team: object) => ({ type: 'CreateTeam', data: { teamId: 3, team, at } }) as const;
const edit = (teamId: number, changes: object) =>
  ({ type: 'EditTeam', data: { teamId, changes, at } }) as const;
const edited = (teamId: number, before: TeamFacts, changes: Partial<TeamFacts>): OrganizationEvent => ({
  type: 'TeamEdited',
  data: { teamId, ...before, ...changes, before, editedAt: at },
});

describe('an organization', () => {
  it('is founded with its Owners team, whose first member is the creator, concealed', () =>
    given()
      .when({ type: 'FoundOrganization', data: { creatorId: ALICE, ownersTeamId: OWNERS, at } })
      .then(...founded));
  it('is founded once', () =>
    given(...founded)
      .when({ type: 'FoundOrganization', data: { creatorId: BOB, ownersTeamId: 7, at } })
      .thenRefused('organization.exists'));
  it('has no team before it is founded', () =>
    given()
      .when(create({ name: 'early', units: ['repo.code'] }))
      .thenRefused('organization.absent'));

  describe('members', () => {
    it('join with their first team', () =>
      given(...history)
        .when(add(2, CAROL))
        .then(joined(CAROL), added(2, CAROL)));
    it('join once, however many teams they are in', () =>
      given(...history)
        .when(add(OWNERS, BOB))
        .then(added(OWNERS, BOB, 'Owners')));
    it('are in a team once', () =>
      given(...history)
        .when(add(2, BOB))
        .then());
    it('leave with their last team', () =>
      given(...history)
        .when(remove(2, BOB))
        .then(removed(2, BOB), left(BOB)));
    it('who have left join anew', () =>
      given(...history, removed(2, BOB), left(BOB))
        .when(add(2, BOB))
        .then(joined(BOB), added(2, BOB)));
    it('stay while they are in another team', () =>
      given(...history, added(OWNERS, BOB, 'Owners'))
        .when(remove(2, BOB))
        .then(removed(2, BOB)));
    it('who are in no team of that id cannot leave it, and nothing changes', () =>
      given(...history)
        .when(remove(2, CAROL))
        .then());
    it('are removed from every team', () =>
      given(...history, added(OWNERS, BOB, 'Owners'))
        .when(expel(BOB))
        .then(removed(OWNERS, BOB, 'Owners'), removed(2, BOB), left(BOB)));
    it('are taken out of a part of their teams first, where one append does not hold all', () => {
      const teams = Array.from({ length: 501 }, (_, index) => 100 + index);
      const inTeams = (ids: readonly number[]) => ids.flatMap((id) => [created(id, readers), added(id, BOB)]);
      const many = [...founded, joined(BOB), ...inTeams(teams)];
      const state = many.reduce(
        (state, event) => Organization.evolve(state, event),
        Organization.initialState,
      );
      const taken = Organization.decide(lighten(BOB), state);
      expect(taken).to.have.length(500);
      expect(taken.every(({ type }) => type === 'TeamMemberRemoved')).to.equal(true);
      given(...many, ...taken)
        .when(lighten(BOB))
        .then();
      given(...founded, joined(BOB), ...inTeams(teams.slice(1)))
        .when(lighten(BOB))
        .then();
      given(...many, added(OWNERS, BOB, 'Owners'), removed(OWNERS, ALICE, 'Owners'))
        .when(lighten(BOB))
        .thenRefused('organization.last_owner');
    });
    it('who are none are not removed, and nothing changes', () =>
      given(...history)
        .when(expel(CAROL))
        .then());
    it('of a deleted team leave unless they are in another one', () =>
      given(...history, joined(CAROL), added(2, CAROL), added(OWNERS, CAROL, 'Owners'))
        .when({ type: 'DeleteTeam', data: { teamId: 2, at } })
        .then({ type: 'TeamDeleted', data: { teamId: 2, name: 'readers', deletedAt: at } }, left(BOB)));
  });

  describe('the last owner', () => {
    it('cannot leave the Owners team', () =>
      given(...history, added(2, ALICE))
        .when(remove(OWNERS, ALICE))
        .thenRefused('organization.last_owner'));
    it('cannot be removed', () =>
      given(...history)
        .when(expel(ALICE))
        .thenRefused('organization.last_owner'));
    it('may go once there is another', () =>
      given(...history, added(OWNERS, BOB, 'Owners'))
        .when(expel(ALICE))
        .then(removed(OWNERS, ALICE, 'Owners'), left(ALICE)));
    it('is the one owner there is, and nobody before the organization is founded', () => {
      const stateAfter = (...events: readonly OrganizationEvent[]) =>
        events.reduce((state, event) => Organization.evolve(state, event), Organization.initialState);
      const lasts = (...events: readonly OrganizationEvent[]) =>
        [ALICE, BOB].filter((accountId) => isLastOwner(stateAfter(...events), accountId));
      expect(lasts(...history)).to.deep.equal([ALICE]);
      expect(lasts(...history, added(OWNERS, BOB, 'Owners'))).to.deep.equal([]);
      expect(lasts()).to.deep.equal([]);
    });
  });

  describe('a membership', () => {
    const publicize = (accountId: number) =>
      ({ type: 'PublicizeMembership', data: { accountId, at } }) as const;
    const conceal = (accountId: number) => ({ type: 'ConcealMembership', data: { accountId, at } }) as const;

    it('is publicized', () =>
      given(...history)
        .when(publicize(BOB))
        .then(publicized(BOB)));
    it('is publicized once', () =>
      given(...history, publicized(BOB))
        .when(publicize(BOB))
        .then());
    it('is concealed', () =>
      given(...history, publicized(BOB))
        .when(conceal(BOB))
        .then(concealed(BOB)));
    it('is publicized again after it was concealed', () =>
      given(...history, publicized(BOB), concealed(BOB))
        .when(publicize(BOB))
        .then(publicized(BOB)));
    it('is concealed at first', () =>
      given(...history)
        .when(conceal(BOB))
        .then());
    it('is concealed again after the member left and came back', () =>
      given(...history, publicized(BOB), removed(2, BOB), left(BOB), joined(BOB), added(2, BOB))
        .when(conceal(BOB))
        .then());
    it('is not all that there is of a member', () => {
      for (const shown of [[publicized(BOB)], [publicized(BOB), concealed(BOB)]])
        given(...history, ...shown)
          .when(remove(2, BOB))
          .then(removed(2, BOB), left(BOB));
    });
    it('must be there', () =>
      given(...history)
        .when(publicize(CAROL))
        .thenRefused('organization.member_absent'));
  });

  describe('a team', () => {
    it('is created with what it was given', () =>
      given(...history)
        .when(create({ name: 'Writers', permission: 'write', units: ['repo.code'] }))
        .then(
          created(3, { ...readers, name: 'Writers', permission: 'write', units: { 'repo.code': 'write' } }),
        ));
    it('has all repositories, and makes some, where that is asked for', () => {
      const rights = { includesAllRepositories: true, canCreateRepositories: true };
      given(...history)
        .when(create({ name: 'makers', units: ['repo.code'], permission: 'read', ...rights }))
        .then(created(3, { ...readers, name: 'makers', ...rights }));
      given(...history)
        .when(edit(2, { canCreateRepositories: true }))
        .then(edited(2, readers, { canCreateRepositories: true }));
      given(...founded, created(2, { ...readers, ...rights }))
        .when(edit(2, { name: 'some' }))
        .then(edited(2, { ...readers, ...rights }, { name: 'some' }));
    });
    it('has other access with other units, or with all repositories, and with nothing else', () => {
      expect(hasOtherAccess(readers, { ...readers, units: { 'repo.code': 'write' } })).to.equal(true);
      expect(hasOtherAccess(readers, { ...readers, includesAllRepositories: true })).to.equal(true);
      const others = { name: 'x', description: 'y', canCreateRepositories: true };
      expect(hasOtherAccess(readers, { ...readers, units: { ...readers.units }, ...others })).to.equal(false);
    });
    it('has other units of the same level', () => {
      const units = { 'repo.code': 'read', 'repo.issues': 'read' } as const;
      given(...history)
        .when(edit(2, { units: ['repo.code', 'repo.issues'] }))
        .then(edited(2, readers, { units }));
    });
    for (const [what, name, code] of [
      ['no name', '', 'team.name_missing'],
      ['a space in its name', 'a team', 'team.name_invalid'],
      ['a name of 256 characters', 'a'.repeat(256), 'team.name_invalid'],
      ['a reserved name', 'New', 'team.name_reserved'],
      ['the name of another in other letters', 'READERS', 'team.name_taken'],
      ["the owners' name", 'owners', 'team.name_taken'],
    ] as const)
      it(`is not created with ${what}`, () =>
        given(...history)
          .when(create({ name, units: ['repo.code'] }))
          .thenRefused(code));

    it('changes in what is given', () =>
      given(...history)
        .when(edit(2, { name: 'Readers', description: 'who read', includesAllRepositories: true }))
        .then(
          edited(2, readers, { name: 'Readers', description: 'who read', includesAllRepositories: true }),
        ));
    it('is what it was changed to, and its old name is free', () => {
      const renamed = [...history, edited(2, readers, { name: 'crowd', description: 'who read' })];
      given(...renamed)
        .when(edit(2, { name: 'crowd', description: 'who read' }))
        .then();
      given(...renamed)
        .when(create({ name: 'readers', permission: 'read', units: ['repo.code'] }))
        .then(created(3, readers));
    });
    it('has a name of 255 characters at most', () =>
      given(...history)
        .when(edit(2, { name: 'a'.repeat(255) }))
        .then(edited(2, readers, { name: 'a'.repeat(255) })));
    it('does not get a name that it could not be created with', () =>
      given(...history)
        .when(edit(2, { name: 'a team' }))
        .thenRefused('team.name_invalid'));
    it('keeps its name for an empty one, and records nothing where nothing changes', () =>
      given(...history)
        .when(edit(2, { name: '', permission: 'read' }))
        .then());
    it('does not take the name of another', () =>
      given(...history, created(3, { ...readers, name: 'writers' }))
        .when(edit(3, { name: 'readers' }))
        .thenRefused('team.name_taken'));
    it('has the new level in every unit', () =>
      given(...history)
        .when(edit(2, { permission: 'write' }))
        .then(edited(2, readers, { permission: 'write', units: { 'repo.code': 'write' } })));
    it('must exist', () => {
      given(...history)
        .when(edit(9, {}))
        .thenRefused('team.absent');
      given(...history)
        .when(add(9, BOB))
        .thenRefused('team.absent');
    });
    it('keeps its members and repositories when it changes', () => {
      const gave: OrganizationEvent = {
        type: 'TeamRepositoriesAdded',
        data: { teamId: 2, teamName: 'readers', repositoryIds: [7], addedAt: at },
      };
      const changed = [...history, gave, edited(2, readers, { description: 'who read' })];
      given(...changed)
        .when(remove(2, BOB))
        .then(removed(2, BOB), left(BOB));
      given(...changed)
        .when({ type: 'AddTeamRepositories', data: { teamId: 2, repositoryIds: [7], at } })
        .then();
    });
    it('frees its name when it is deleted', () =>
      given(...history, { type: 'TeamDeleted', data: { teamId: 2, name: 'readers', deletedAt: at } })
        .when(create({ name: 'readers', permission: 'read', units: ['repo.code'] }))
        .then(created(3, readers)));
  });

  describe('the Owners team', () => {
    it('cannot be deleted', () =>
      given(...history)
        .when({ type: 'DeleteTeam', data: { teamId: OWNERS, at } })
        .thenRefused('team.owners'));
    it('cannot be renamed', () =>
      given(...history)
        .when(edit(OWNERS, { name: 'Bosses' }))
        .thenRefused('team.owners'));
    it('has a description that is free', () =>
      given(...history)
        .when(edit(OWNERS, { name: '', description: 'us' }))
        .then(edited(OWNERS, owners, { description: 'us' })));
    it('may be asked for its description alone, and keeps it otherwise', () => {
      const described = edited(OWNERS, owners, { description: 'us' });
      given(...history)
        .when(edit(OWNERS, { description: 'us' }))
        .then(described);
      given(...history, described)
        .when(edit(OWNERS, { name: 'Owners' }))
        .then();
    });
    it('keeps its rights whatever is asked', () =>
      given(...history)
        .when(
          edit(OWNERS, {
            name: 'Owners',
            description: 'us',
            permission: 'read',
            units: ['repo.code'],
            includesAllRepositories: false,
            canCreateRepositories: false,
          }),
        )
        .then(edited(OWNERS, owners, { description: 'us' })));
  });
});

describe('the repositories of a team', () => {
  const READERS = 2;
  const everything = { ...readers, includesAllRepositories: true };
  const gave = (...ids: number[]): OrganizationEvent => ({
    type: 'TeamRepositoriesAdded',
    data: { teamId: READERS, teamName: 'readers', repositoryIds: ids, addedAt: at },
  });
  const taken = (repositoryId: number, teamId = READERS): OrganizationEvent => ({
    type: 'TeamRepositoryRemoved',
    data: { teamId, teamName: 'readers', repositoryId, removedAt: at },
  });
  const give = (...repositoryIds: number[]) =>
    ({ type: 'AddTeamRepositories', data: { teamId: READERS, repositoryIds, at } }) as const;
  const take = (repositoryId: number) =>
    ({ type: 'RemoveTeamRepository', data: { teamId: READERS, repositoryId, at } }) as const;

  it('are given to it', () =>
    given(...history)
      .when(give(7, 8))
      .then(gave(7, 8)));
  it('come and go, as members do, while all others stay what they were', () => {
    for (const event of [gave(7), taken(7), removed(READERS, CAROL)])
      given(...history, event)
        .when(add(OWNERS, BOB))
        .then(added(OWNERS, BOB, 'Owners'));
  });
  it('that it has are not given again', () =>
    given(...history, gave(7))
      .when(give(7, 8))
      .then(gave(8)));
  it('are taken from it alone, and given again', () => {
    const others: OrganizationEvent = {
      type: 'TeamRepositoriesAdded',
      data: { teamId: 3, teamName: 'writers', repositoryIds: [7], addedAt: at },
    };
    const both = [...history, created(3, { ...readers, name: 'writers' }), gave(7), others];
    given(...both)
      .when(take(7))
      .then(taken(7));
    given(...both, taken(7))
      .when(give(7))
      .then(gave(7));
  });
  it('that it has not are taken without a trace', () =>
    given(...history)
      .when(take(7))
      .then());
  it('are all where it includes them all', () => {
    const before = [...founded, created(READERS, everything)];
    given(...before)
      .when(give(7))
      .then();
    given(...before)
      .when(take(7))
      .then();
  });
  it('stay with a team that included them all', () =>
    given(...founded, created(READERS, everything))
      .when({
        type: 'EditTeam',
        data: { teamId: READERS, changes: { includesAllRepositories: false }, repositoryIds: [7, 8], at },
      })
      .then(edited(READERS, everything, { includesAllRepositories: false }), gave(7, 8)));
  it('are not given with a change of something else', () =>
    given(...history)
      .when({
        type: 'EditTeam',
        data: { teamId: READERS, changes: { description: 'us' }, repositoryIds: [7, 8], at },
      })
      .then(edited(READERS, readers, { description: 'us' })));
  it('leave every team when they leave the organization', () =>
    given(...history, gave(7, 8))
      .when({ type: 'DetachRepository', data: { repositoryId: 7, isOwned: false, at } })
      .then(taken(7)));
  it('leave as many teams at once as one append holds', () => {
    const has = (teamId: number): OrganizationEvent[] => [
      created(teamId, readers),
      {
        type: 'TeamRepositoriesAdded',
        data: { teamId, teamName: 'readers', repositoryIds: [7], addedAt: at },
      },
    ];
    const many = Array.from({ length: 501 }, (_, index) => has(100 + index)).flat();
    const state = many.reduce((state, event) => Organization.evolve(state, event), Organization.initialState);
    const data = { repositoryId: 7, isOwned: false, at };
    expect(Organization.decide({ type: 'DetachRepository', data }, state)).to.have.length(500);
  });
  it('stay with their teams where they came back to the organization', () =>
    given(...history, gave(7, 8))
      .when({ type: 'DetachRepository', data: { repositoryId: 7, isOwned: true, at } })
      .then());
});
