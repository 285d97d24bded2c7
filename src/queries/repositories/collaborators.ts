import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import type { AccountRow } from '../accounts/accounts.js';
import { knownTo, type Knower } from '../accounts/ties.js';
import { isThere } from '../count.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { teamHas } from './access.js';

/** The repository whose collaborators are listed, and the viewer. */
export interface CollaboratorsAsked {
  readonly repositoryId: number;
  readonly knower: Knower;
}

const fromCollaborators = ({ repositoryId, knower }: CollaboratorsAsked) => fragment`
  from grants g
  join accounts a on a.id = g.principal_id and a.valid_until = ${still}
  where g.object_kind = 'repository' and g.object_id = ${repositoryId} and g.principal_kind = 'account'
    and ${knownTo(knower)}`;

/** Lists the collaborators of a repository that the viewer may see, by name. */
export const listCollaborators = (
  db: Queryable,
  asked: CollaboratorsAsked,
  part: PageRequest,
): Promise<Paged<AccountRow>> =>
  paged(db, part, {
    columns: fragment`a.*`,
    from: fromCollaborators(asked),
    orderBy: fragment`a.lower_name`,
  });

/** Tells whether the account with this name, in any letter case, is a collaborator that the viewer may see. */
export const isCollaborator = (db: Queryable, asked: CollaboratorsAsked, name: string): Promise<boolean> =>
  isThere(db, fragment`${fromCollaborators(asked)} and a.lower_name = ${accountNameKey(name)}`);

type Owned = { readonly id: number; readonly owner_id: number };

/**
 * Selects the owner, collaborators of at least this level, members of teams that can write or read pull requests and, for
 * `read`, site administrators: those whom the viewer may see, and `shown` ones, which the viewer sees anyway.
 */
const atWorkIn = (
  { id, owner_id }: Owned,
  level: 'read' | 'write',
  knower: Knower,
  shown: readonly number[] = [],
) => sql`
    select a.* from accounts a
    where a.valid_until = ${still} and a.kind = 'user' and (a.id = any(${shown}::int8[]) or ${knownTo(knower)}) and a.id in (
      select ${owner_id}::int8
      union all
      select principal_id from grants
      where object_kind = 'repository' and object_id = ${id} and principal_kind = 'account' and level >= ${rankOf(level)}
      union all
      select m.account_id from teams t
      join team_members m on m.organization_id = t.organization_id and m.team_id = t.id
      where t.organization_id = ${owner_id} and ${teamHas(id)}
        and (t.units ->> 'repo.pulls' = 'read'
          or exists (select from jsonb_each_text(t.units) u where u.value in ('write', 'admin', 'owner')))
      union all
      select id from accounts where valid_until = ${still} and is_admin and ${level === 'read'}::boolean)
    order by a.lower_name`;

/**
 * Lists, by name, the accounts that the viewer may see and that work in the repository can be assigned to: its owner,
 * those who can write, and the members of teams that can read pull requests.
 */
export const listAssignees = (db: Queryable, repository: Owned, knower: Knower): Promise<AccountRow[]> =>
  db.rows<AccountRow>(atWorkIn(repository, 'write', knower));

/**
 * Lists the accounts that the viewer may assign to issues, the owner and those `shown` to it in any case: also
 * collaborators who only read, as they read pull requests, and site administrators, as they may write everywhere.
 */
export const listAssignable = (
  db: Queryable,
  repository: Owned,
  knower: Knower,
  shown: readonly number[] = [],
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(atWorkIn(repository, 'read', knower, [repository.owner_id, ...shown]));
