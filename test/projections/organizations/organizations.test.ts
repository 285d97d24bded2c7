import { expect } from 'chai';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { grants } from '../../../projections/organizations/grants.js';
import { organizationLabels } from '../../../projections/organizations/organization-labels.js';
import { organizations } from '../../../projections/organizations/organizations.js';
import { schemaOf } from '../../../projections/projection.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

const built = [organizations, organizationLabels, grants];
const tables = built.flatMap((projection) =>
  Object.keys(projection.tables).map((table) => `${schemaOf(projection)}.${table}`),
);

describe('the read models of organizations', () => {
  let api: TestApi;
  let owner: TestUser;

  before(async () => {
    api = await startApi();
    owner = await api.createUser('owner');
  });
  after(() => api.stop());

  const rowsOf = async (table: string) =>
    (
      await api.connections.db.rows<{ row: object }>(`select to_jsonb(t) as row from ${table} t order by 1`)
    ).map(({ row }) => row);
  const snapshot = async () =>
    Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const)));

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
    const live = await snapshot();
    expect(Object.entries(live).map(([table, rows]) => [table, rows.length])).to.deep.equal([
      ['organizations_v1.teams', 2],
      ['organizations_v1.team_members', 3],
      ['organizations_v1.organization_members', 3],
      ['organization_labels_v1.organization_labels', 1],
      ['grants_v1.grants', 2],
    ]);

    await api.pauseProjector();
    const { db, store } = api.connections;
    for (const projection of built) await db.rows(`drop schema ${schemaOf(projection)} cascade`);
    await ensureSchemas(db, built);
    api.resumeProjector();
    await api.restart(); // it reads the checkpoints again
    await api.anonymous.get('/version', { 'x-tallyforge-position': String(await store.lastPosition()) });
    expect(await snapshot()).to.deep.equal(live);
  });
});
