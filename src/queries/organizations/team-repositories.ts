import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { teamNameKey } from '../../domain/organizations/team.js';
import { count, isThere } from '../count.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { teamHas, visibleTo, type RepositoryViewer } from '../repositories/access.js';
import { fromRepositories, repositoryRows, type RepositoryRow } from '../repositories/repositories.js';
import type { TeamRow } from './teams.js';

type Team = Pick<TeamRow, 'id' | 'organization_id' | 'includes_all_repositories'>;

/** The condition that the team has the repository `r`. */
const ofTeam = ({ id, organization_id, includes_all_repositories }: Team): Fragment => fragment`
  (r.owner_id = ${organization_id} and (${includes_all_repositories} or exists (
    select from grants g where g.principal_kind = 'team' and g.principal_id = ${id}
      and g.object_kind = 'repository' and g.object_id = r.id)))`;

/** Lists the repositories of a team that the viewer may see, by name. */
export const listTeamRepositories = (
  db: Queryable,
  team: Team,
  viewer: RepositoryViewer,
  { limit, offset }: PageRequest,
): Promise<Paged<RepositoryRow>> =>
  Promise.all([
    repositoryRows(
      db.rows(sql`${fromRepositories(viewer)} where ${ofTeam(team)} and ${visibleTo(viewer)}
        order by r.lower_name limit ${limit} offset ${offset}`),
    ),
    count(db, fragment`from repositories r where ${ofTeam(team)} and ${visibleTo(viewer)}`),
  ]);

/** Tells whether the team has a repository. */
export const hasRepository = (db: Queryable, team: Team, repositoryId: number): Promise<boolean> =>
  isThere(db, fragment`from repositories r where r.id = ${repositoryId} and ${ofTeam(team)}`);

/** Lists the teams that have a repository: the owners' team, then the others by name. None if a user owns it. */
export const listTeamsWith = (
  db: Queryable,
  { id, owner_id }: Pick<RepositoryRow, 'id' | 'owner_id'>,
  part: PageRequest,
): Promise<Paged<TeamRow>> =>
  paged(db, part, {
    columns: fragment`t.*`,
    from: fragment`from teams t where t.organization_id = ${owner_id} and ${teamHas(id)}`,
    orderBy: fragment`t.lower_name <> 'owners', t.lower_name`,
  });

/** Finds a team of an organization by name, in any letter case; undefined if there is none. */
export async function findTeamNamed(
  db: Queryable,
  organizationId: number,
  name: string,
): Promise<TeamRow | undefined> {
  const [row] = await db.rows<TeamRow>(sql`
    select * from teams where organization_id = ${organizationId} and lower_name = ${teamNameKey(name)}`);
  return row;
}

/** Lists the ids of all repositories of an organization. */
export async function repositoryIdsOf(db: Queryable, organizationId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from repositories where owner_id = ${organizationId} order by id`);
  return rows.map(({ id }) => id);
}
