import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import type { UnitKey } from '../../domain/organizations/team-access.js';
import type { LanguageSizes } from '../../domain/repositories/languages.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import type { Hash, Mirror } from '../../domain/repositories/repository-messages.js';
import type { MergeStyle, RepositorySettings } from '../../domain/repositories/settings.js';
import type { AccountRow } from '../accounts/accounts.js';
import { accessOf, type AccessColumns, type RepositoryViewer } from './access.js';
import type { PendingTransfer } from './transfers.js';

/** A repository with its owner, and the viewer's access to it. */
export interface RepositoryRow extends AccessColumns {
  readonly id: number;
  readonly owner_id: number;
  readonly owner: AccountRow;
  readonly name: string;
  readonly lower_name: string;
  readonly description: string;
  readonly website: string;
  readonly is_private: boolean;
  readonly is_template: boolean;
  readonly is_empty: boolean;
  readonly archived_at: Date | null;
  readonly mirror: Mirror | null;
  readonly mirrored_at: Date | null;
  readonly base_id: number | null;
  readonly original_url: string;
  readonly default_branch: string;
  readonly size_bytes: number;
  /** The language with the most bytes; empty if there is none. */
  readonly language: string;
  /** Null if languages have not been measured. */
  readonly languages: LanguageSizes | null;
  /** The commit whose `languages` were measured. */
  readonly languages_of: Hash | null;
  readonly object_format: string;
  readonly trust_model: string;
  readonly units: readonly UnitKey[];
  readonly internal_tracker: RepositorySettings['internalTracker'];
  readonly external_tracker: RepositorySettings['externalTracker'];
  readonly external_wiki_url: string | null;
  readonly wiki_branch: string;
  readonly globally_editable_wiki: boolean;
  readonly ignore_whitespace_conflicts: boolean;
  readonly allow_merge_commits: boolean;
  readonly allow_rebase: boolean;
  readonly allow_rebase_explicit: boolean;
  readonly allow_squash_merge: boolean;
  readonly allow_fast_forward_only_merge: boolean;
  readonly allow_manual_merge: boolean;
  readonly autodetect_manual_merge: boolean;
  readonly allow_rebase_update: boolean;
  readonly default_delete_branch_after_merge: boolean;
  readonly default_merge_style: MergeStyle;
  readonly default_allow_maintainer_edit: boolean;
  readonly topics: readonly string[];
  readonly stars: number;
  readonly forks: number;
  readonly open_issues: number;
  readonly open_pulls: number;
  readonly releases: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The pending transfer; null if there is none. */
  readonly transfer: PendingTransfer | null;
}

/** Selects the columns of a repository's row, and the columns `more`. `r` is the repository, `o` its owner. */
export const fromRepositories = (viewer: RepositoryViewer, more = fragment``): Fragment => fragment`
  select r.*, to_json(o) as owner, to_json(x) as transfer, access.* ${more} from repositories r
  join accounts o on o.id = r.owner_id and o.valid_until = ${still}
  left join repository_transfers x on x.repository_id = r.id
  ${accessOf(viewer)}`;

/** Tells whether refs that moved at this time (RFC 3339) are those that the repository was created with: nobody pushed them. */
export const beganAt = ({ created_at }: Pick<RepositoryRow, 'created_at'>, updatedAt: string): boolean =>
  Date.parse(updatedAt) === created_at.getTime();

/** The part of a repository that most requests about something in it need, with the viewer's access. */
export interface RepositoryBrief
  extends
    AccessColumns,
    Pick<
      RepositoryRow,
      | 'id'
      | 'owner_id'
      | 'name'
      | 'is_private'
      | 'is_empty'
      | 'archived_at'
      | 'mirror'
      | 'base_id'
      | 'default_branch'
      | 'units'
    > {
  readonly owner: Pick<AccountRow, 'id' | 'kind' | 'name' | 'visibility'>;
}

type Raw = Omit<RepositoryRow, 'owner'> & {
  readonly owner: Omit<AccountRow, 'created_at'> & { readonly created_at: string };
};

/** Converts rows that were selected by `fromRepositories`: PostgreSQL returns the owner's times as strings. */
export async function repositoryRows(rows: Promise<object[]>): Promise<RepositoryRow[]> {
  return ((await rows) as Raw[]).map((row) =>
    Object.assign(row, { owner: { ...row.owner, created_at: new Date(row.owner.created_at) } }),
  );
}

/**
 * The condition that the repository `r` has this owner and name. Uses `between` because thousands may have one name,
 * such as forks of a repository. With `=` the planner would read all of these, because it assumes a name to be as rare
 * as owner and name together.
 */
const named = (owner: string, name: string): Fragment => fragment`
  r.owner_id = (select id from accounts
    where lower_name = ${accountNameKey(owner)} and valid_until = ${still})
  and r.lower_name between ${repositoryNameKey(name)} and ${repositoryNameKey(name)}`;

/** Finds a repository by owner and name in any letter case, whether or not the viewer may see it; undefined if none. */
export async function findRepository(
  db: Queryable,
  owner: string,
  name: string,
  viewer: RepositoryViewer,
): Promise<RepositoryRow | undefined> {
  const [row] = await repositoryRows(db.rows(sql`${fromRepositories(viewer)} where ${named(owner, name)}`));
  return row;
}

/** Like `findRepository`, in less than half of the time. */
export async function findRepositoryBrief(
  db: Queryable,
  owner: string,
  name: string,
  viewer: RepositoryViewer,
): Promise<RepositoryBrief | undefined> {
  type Owner = RepositoryBrief['owner'];
  type Row = Omit<RepositoryBrief, 'owner'> & {
    readonly [column in keyof Owner as `owner_${column}`]: Owner[column];
  };
  const [row] = await db.rows<Row>(sql`
    select r.id, r.owner_id, r.name, r.is_private, r.is_empty, r.archived_at, r.mirror, r.base_id, r.default_branch, r.units,
      o.kind as owner_kind, o.name as owner_name, o.visibility as owner_visibility, access.*
    from repositories r join accounts o on o.id = r.owner_id and o.valid_until = ${still}
    ${accessOf(viewer)} where ${named(owner, name)}`);
  if (!row) return undefined;
  const { owner_kind: kind, owner_name, owner_visibility: visibility } = row;
  return Object.assign(row, { owner: { id: row.owner_id, kind, name: owner_name, visibility } });
}

/** The SQL expression of the id of the repository with this owner and name, for statements sent before it is known. */
export const idOfNamed = (owner: string, name: string): Fragment => fragment`(
  select r.id from repositories r where ${named(owner, name)})`;

/** Finds a repository by its id, whether or not the viewer may see it. */
export async function findRepositoryById(
  db: Queryable,
  id: number,
  viewer: RepositoryViewer,
): Promise<RepositoryRow | undefined> {
  return (await findRepositoriesById(db, [id], viewer)).get(id);
}

/** Finds those of the repositories that exist, by id, whether or not the viewer may see them. */
export async function findRepositoriesById(
  db: Queryable,
  ids: readonly number[],
  viewer: RepositoryViewer,
): Promise<ReadonlyMap<number, RepositoryRow>> {
  if (ids.length === 0) return new Map();
  const rows = await repositoryRows(
    db.rows(sql`${fromRepositories(viewer)} where r.id = any(${ids}::int8[])`),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Finds the repository that has this name or, if none has it, the one that had it before; undefined if there is none.
 * The repository with the id `hidden` counts as none.
 */
export async function findRepositoryBehind(
  db: Queryable,
  owner: string,
  name: string,
  viewer: RepositoryViewer,
  hidden = 0,
): Promise<RepositoryRow | undefined> {
  const [row] = await repositoryRows(
    db.rows(sql`${fromRepositories(viewer)}
      where r.id = coalesce(nullif(${idOfNamed(owner, name)}, ${hidden}),
        (select d.repository_id from repository_redirects d
        join accounts a on a.id = d.owner_id and a.valid_until = ${still}
        where a.lower_name = ${accountNameKey(owner)} and d.lower_name = ${repositoryNameKey(name)}))`),
  );
  return row;
}
