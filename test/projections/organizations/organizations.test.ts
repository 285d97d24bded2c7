import { expect } from 'chai';
import { grants } from '../../../projections/organizations/grants.js';
import { organizationLabels } from '../../../projections/organizations/organization-labels.js';
import { organizations } from '../../../projections/organizations/organizations.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import { buildAnew, rowsOf } from '../read-models.js';

const built = [organizations, organizationLabels, grants];

describe('the read models of organizations', () => {
  let api: TestApi;
  let owner: TestUser;

  before(async () => {
    api = await startApi();
    owner = await api.createUser('owner');
  });
  after(() => api.stop());

  /** One organization that lives, and what a deleted one must leave behind: nothing. */
  async function history(): Promise<void> {
    const users = await Promise.all(['one', 'two', 'three'].map((name) => api.createUser(name)));
    for (const org of ['lives', 'dies']) {
      await owner.post('/orgs', { username: org });
      const teams: number[] = [];
      for (const name of ['first', 'second']) {
        const { json } = await owner.post(`/orgs/${org}/teams`, { name, units: ['repo.code'] });
        teams.push((json as { id: number }).id);
      }
      const [first = 0, second = 0] = teams;
      for (const { username } of users) await owner.put(`/teams/${first}/members/${username}`);
      await owner.put(`/teams/${second}/members/one`);
      await users[0]?.put(`/orgs/${org}/public_members/one`);
      await owner.patch(`/teams/${first}`, { name: 'renamed', permission: 'write' });
      await owner.delete(`/orgs/${org}/members/three`);
      await owner.delete(`/teams/${second}/members/one`);
      await owner.delete(`/teams/${second}`);
      await owner.post(`/orgs/${org}/labels`, { name: 'bug', color: 'f00' });
    }
    await owner.delete('/orgs/dies');
  }

  it('hold what lives and nothing else, and come out alike when they are built anew', async () => {
    await history();
    const live = await rowsOf(api, built);
    expect(Object.entries(live).map(([table, rows]) => [table, rows.length])).to.deep.equal([
      ['organizations_v1.teams', 2],
      ['organizations_v1.team_members', 3],
      ['organizations_v1.organization_members', 3],
      ['organization_labels_v2.organization_labels', 1],
      ['grants_v1.grants', 2],
    ]);

    await buildAnew(api, built);
    expect(await rowsOf(api, built)).to.deep.equal(live);
  });
});
