import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { changedTeamAccess, teamAccess, unitKeys } from '../../../src/domain/organizations/team-access.js';

const every = (level: string) => Object.fromEntries(unitKeys.map((key) => [key, level]));

describe('the access of a team', () => {
  for (const [what, asked, expected] of [
    [
      'gives each unit its permission',
      { permission: 'write', units: ['repo.code', 'REPO.Issues'] },
      { permission: 'write', units: { 'repo.code': 'write', 'repo.issues': 'write' } },
    ],
    [
      'reads where no permission is given',
      { units: ['repo.code'] },
      { permission: 'read', units: { 'repo.code': 'read' } },
    ],
    [
      'shows no more than reading of what lives elsewhere',
      { permission: 'write', units: ['repo.code', 'repo.ext_wiki'] },
      { permission: 'write', units: { 'repo.code': 'write', 'repo.ext_wiki': 'read' } },
    ],
    [
      'takes the lowest level of a map as its permission, and keeps the map',
      { permission: 'write', unitsMap: { 'repo.code': 'read', 'repo.issues': 'write', 'repo.wiki': 'none' } },
      { permission: 'read', units: { 'repo.code': 'read', 'repo.issues': 'write', 'repo.wiki': 'none' } },
    ],
    [
      'does not count what lives elsewhere',
      { unitsMap: { 'repo.ext_issues': 'read', 'repo.code': 'write' } },
      { permission: 'write', units: { 'repo.ext_issues': 'read', 'repo.code': 'write' } },
    ],
    [
      'gives none of what lives elsewhere where the map says so',
      { unitsMap: { 'repo.ext_wiki': 'none', 'repo.code': 'write' } },
      { permission: 'write', units: { 'repo.ext_wiki': 'none', 'repo.code': 'write' } },
    ],
    [
      'is everything where the lowest level of a map is that of administrators',
      { unitsMap: { 'repo.code': 'admin' } },
      { permission: 'admin', units: every('admin') },
    ],
    [
      'has no permission where a map gives none',
      { unitsMap: { 'repo.code': 'none' } },
      { permission: 'none', units: { 'repo.code': 'none' } },
    ],
    [
      'prefers a map to units',
      { units: ['repo.wiki'], unitsMap: { 'repo.code': 'read' } },
      { permission: 'read', units: { 'repo.code': 'read' } },
    ],
    [
      'of administrators is everything, whatever the units',
      { permission: 'admin', units: ['x'] },
      { permission: 'admin', units: every('admin') },
    ],
  ] as const)
    it(what, () => {
      expect(teamAccess(asked)).to.deep.equal(expected);
    });

  for (const [what, asked, code] of [
    ['no units', { permission: 'write' }, 'team.units_missing'],
    ['empty units', { units: [], unitsMap: {} }, 'team.units_missing'],
    ['an unknown unit', { units: ['repo.cake'] }, 'team.unit_unknown'],
    ['an unknown unit in a map', { unitsMap: { 'repo.cake': 'read' } }, 'team.unit_unknown'],
    ['an unknown level', { unitsMap: { 'repo.code': 'eat' } }, 'team.level_unknown'],
    ['an unknown permission', { permission: 'eat', units: ['repo.code'] }, 'team.level_unknown'],
    ['the permission of owners', { permission: 'owner' }, 'team.level_unknown'],
  ] as const)
    it(`is refused with ${what}`, () => {
      expect(() => teamAccess(asked))
        .to.throw(DomainError)
        .with.property('code', code);
    });

  describe('after a change', () => {
    const mixed = teamAccess({
      unitsMap: { 'repo.code': 'read', 'repo.issues': 'write', 'repo.wiki': 'none' },
    });
    const admin = teamAccess({ permission: 'admin' });

    for (const [what, before, asked, expected] of [
      ['stays where nothing is asked', mixed, {}, mixed],
      ['stays where its permission is asked for', mixed, { permission: 'read' }, mixed],
      [
        'gives what is granted the new permission',
        mixed,
        { permission: 'write' },
        { permission: 'write', units: { 'repo.code': 'write', 'repo.issues': 'write' } },
      ],
      [
        'leaves no unit of administrators at their level',
        admin,
        { permission: 'read' },
        { permission: 'read', units: every('read') },
      ],
      [
        'gives new units the permission there is',
        mixed,
        { units: ['repo.pulls'] },
        { permission: 'read', units: { 'repo.pulls': 'read' } },
      ],
      [
        'takes the permission of a new map',
        mixed,
        { unitsMap: { 'repo.code': 'write' } },
        { permission: 'write', units: { 'repo.code': 'write' } },
      ],
      ['of administrators stays everything without a permission', admin, { units: ['repo.code'] }, admin],
    ] as const)
      it(what, () => {
        expect(changedTeamAccess(before, asked)).to.deep.equal(expected);
      });

    it('is refused with a permission alone where the team has no units', () => {
      const none = teamAccess({ unitsMap: { 'repo.code': 'none' } });
      expect(changedTeamAccess(none, {})).to.equal(none);
      expect(() => changedTeamAccess(none, { permission: 'write' }))
        .to.throw(DomainError)
        .with.property('code', 'team.units_missing');
    });
  });
});
