import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { teamNameKey } from '../../domain/organizations/team.js';
import { count, isThere } from '../count.js';
import type { PageRequest } from '../page.js';
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
): Promise<RepositoryRow[]> =>
  repositoryRows(
    db.rows(sql`${fromRepositories(viewer)} where ${ofTeam(team)} and ${visibleTo(viewer)}
      order by r.lower_name limit ${limit} offset ${offset}`),
  );

/** Counts the repositories that `listTeamRepositories` lists over all pages. The team may have more. */
export const countTeamRepositories = (db: Queryable, team: Team, viewer: RepositoryViewer): Promise<number> =>
  count(db, fragment`from repositories r where ${ofTeam(team)} and ${visibleTo(viewer)}`);

/** Tells whether the team has a repository. */
export const hasRepository = (db: Queryable, team: Team, repositoryId: number): Promise<boolean> =>
  isThere(db, fragment`from repositories r where r.id = ${repositoryId} and ${ofTeam(team)}`);

/** The condition that the team `t` has a repository of its organization. */
const having = ({ id, owner_id }: Pick<RepositoryRow, 'id' | 'owner_id'>): Fragment => fragment`
  t.organization_id = ${owner_id} and ${teamHas(id)}`;

/** Lists the teams that have a repository: the owners' team, then the others by name. */
export const listTeamsWith = (
  db: Queryable,
  repository: Pick<RepositoryRow, 'id' | 'owner_id'>,
  { limit, offset }: PageRequest,
): Promise<TeamRow[]> =>
  db.rows<TeamRow>(sql`
    select t.* from teams t where ${having(repository)}
    order by t.lower_name <> 'owners', t.lower_name limit ${limit} offset ${offset}`);

/** Counts all teams that have a repository; 0 if its owner is no organization. */
export const countTeamsWith = (
  db: Queryable,
  repository: Pick<RepositoryRow, 'id' | 'owner_id'>,
): Promise<number> => count(db, fragment`from teams t where ${having(repository)}`);

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
