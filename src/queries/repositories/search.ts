import type { Queryable } from '../../database/queryable.js';
import { fragment, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { namesAndAddress } from '../accounts/users.js';
import { allOf, type Condition } from '../conditions.js';
import { fragmentPattern } from '../fragment-pattern.js';
import type { Paged, PageRequest } from '../page.js';
import { knowsTeam } from '../organizations/teams.js';
import { oneSigmaIn } from '../sigma.js';
import {
  contributionsOf,
  ownedOrContributedTo,
  publicAlone,
  teamHas,
  type RepositoryViewer,
} from './access.js';
import { listRepositories } from './lists.js';
import type { RepositoryRow } from './repositories.js';

export const searchModes = ['source', 'fork', 'mirror', 'collaborative'] as const;
/**
 * What a search finds: repositories that are neither forks nor mirrors (`source`), forks, mirrors, or those that an
 * account contributes to but does not own.
 */
export type SearchMode = (typeof searchModes)[number];

export const searchSorts = [
  'alpha',
  'created',
  'updated',
  'size',
  'git_size',
  'lfs_size',
  'stars',
  'forks',
  'id',
] as const;
/** What a search sorts by. The default is the name. `lfs_size` is the same for all repositories. */
export type SearchSort = (typeof searchSorts)[number];

/** A search for repositories. Fields that are undefined do not filter. */
export interface RepositorySearch {
  readonly viewer: RepositoryViewer;
  /** Whether only public repositories of public owners are found, even if the viewer may see others. */
  readonly onlyPublic: boolean;
  /** Parts of names or topics, in any letter case; one of them must match. Empty for all repositories. */
  readonly words: readonly string[];
  /** Whether a word must equal a topic; names are not searched then. */
  readonly inTopicsAlone: boolean;
  readonly inDescriptions: boolean;
  /** Parts of an owner's name and of a repository's; repositories that match both are found as well. */
  readonly path: { readonly owner: string; readonly name: string } | undefined;
  readonly accountId: number | undefined;
  /** With `accountId`: whether only repositories that it owns are found, not those that it contributes to. */
  readonly exclusive: boolean;
  readonly mode: SearchMode | undefined;
  readonly isPrivate: boolean | undefined;
  readonly isTemplate: boolean | undefined;
  readonly isArchived: boolean | undefined;
  /** Only repositories of this team; none if the viewer is neither in its organization nor an administrator. */
  readonly teamId: number | undefined;
  /** The repositories of this account come first. */
  readonly priorityOwnerId: number | undefined;
  readonly sort: SearchSort | undefined;
  readonly descending: boolean;
}

/** Lists the repositories that a search finds and the viewer may see. */
export function searchRepositories(
  db: Queryable,
  search: RepositorySearch,
  part: PageRequest,
): Promise<Paged<RepositoryRow>> {
  const { viewer, onlyPublic } = search;
  const where = allOf(
    textIn(search),
    ofAccount(search),
    ofMode(search),
    search.teamId === undefined ? undefined : ofTeam(search.teamId, viewer),
    is(fragment`r.is_private`, search.isPrivate),
    is(fragment`r.is_template`, search.isTemplate),
    is(fragment`(r.archived_at is not null)`, search.isArchived),
    onlyPublic ? publicAlone : undefined,
  );
  const selective = search.accountId !== undefined || search.words.length === 1;
  return listRepositories(db, { viewer, where, selective, orderBy: orderOf(search) }, part);
}

function is(column: Fragment, wanted: boolean | undefined): Condition {
  if (wanted === undefined) return undefined;
  return wanted ? column : fragment`not ${column}`;
}

function textIn({ words, inTopicsAlone, inDescriptions, path }: RepositorySearch): Condition {
  const [first] = words;
  if (first === undefined) return undefined;
  const lowered = words.map((word) => word.toLowerCase());
  if (inTopicsAlone) return fragment`r.topics && ${lowered}::text[]`;
  // The trigram indexes only work for one pattern at a time.
  const isOne = words.length === 1;
  const pattern = isOne
    ? fragment`${fragmentPattern(first.toLowerCase())}`
    : fragment`any(${lowered.map(fragmentPattern)}::text[])`;
  const named = fragment`(r.lower_name || E'\n' || r.topic_text) like ${pattern}`; // exactly the expression of the index
  // PostgreSQL lowers both: it differs from JavaScript in letters such as the Σ at the end of a word.
  const lower = (text: Fragment) => oneSigmaIn(fragment`lower(${text})`, words.join(','));
  const described = isOne
    ? lower(fragment`${fragmentPattern(first)}::text`)
    : fragment`any(select ${lower(fragment`part`)} from unnest(${words.map(fragmentPattern)}::text[]) part)`;
  const told = inDescriptions
    ? fragment`${named} or ${lower(fragment`r.description`)} like ${described}`
    : named;
  if (!path) return fragment`(${told})`;
  const owner = fragmentPattern(path.owner);
  return fragment`(${told} or (r.lower_name like ${fragmentPattern(path.name)} and r.owner_id in (
    select id from accounts where valid_until = ${still}
      and ${namesAndAddress} like ${owner} and lower_name like ${owner})))`;
}

/** Mode `collaborative` overrides the other conditions on the account. */
function ofAccount({ accountId, exclusive, mode }: RepositorySearch): Condition {
  if (accountId === undefined) return undefined;
  if (mode === 'collaborative')
    return fragment`r.owner_id <> ${accountId} and r.id in (${contributionsOf(accountId)})`;
  if (exclusive) return fragment`r.owner_id = ${accountId}`;
  return ownedOrContributedTo(accountId);
}

function ofMode({ mode }: RepositorySearch): Condition {
  switch (mode) {
    case 'source':
      return fragment`r.base_id is null and r.mirror is null`;
    case 'fork':
      return fragment`r.base_id is not null`;
    case 'mirror':
      return fragment`r.mirror is not null`;
    case 'collaborative':
      return fragment`r.mirror is null`;
    case undefined:
      return undefined;
  }
}

const ofTeam = (teamId: number, viewer: RepositoryViewer): Fragment => fragment`exists (
  select from teams t where t.id = ${teamId} and t.organization_id = r.owner_id
    and ${teamHas(fragment`r.id`)} and ${knowsTeam(viewer)})`;

const orders: Readonly<Record<SearchSort, { readonly asc: Fragment; readonly desc: Fragment }>> = {
  alpha: {
    asc: fragment`o.lower_name, r.lower_name, r.id`,
    desc: fragment`o.lower_name desc, r.lower_name desc, r.id desc`,
  },
  created: { asc: fragment`r.created_at, r.id`, desc: fragment`r.created_at desc, r.id desc` },
  updated: { asc: fragment`r.updated_at, r.id`, desc: fragment`r.updated_at desc, r.id desc` },
  size: { asc: fragment`r.size_bytes, r.id`, desc: fragment`r.size_bytes desc, r.id desc` },
  git_size: { asc: fragment`r.size_bytes, r.id`, desc: fragment`r.size_bytes desc, r.id desc` },
  // Nothing is stored in LFS, so that all have the same size.
  lfs_size: { asc: fragment`r.id`, desc: fragment`r.id desc` },
  stars: { asc: fragment`r.stars, r.id`, desc: fragment`r.stars desc, r.id desc` },
  forks: { asc: fragment`r.forks, r.id`, desc: fragment`r.forks desc, r.id desc` },
  id: { asc: fragment`r.id`, desc: fragment`r.id desc` },
};

function orderOf({ sort, descending, priorityOwnerId, path }: RepositorySearch): Fragment {
  const direction = descending ? 'desc' : 'asc';
  const plain = sort ? orders[sort][direction] : fragment`r.lower_name, r.id`;
  const exact = path ? fragment`o.lower_name = ${path.owner} desc, ${plain}` : plain;
  return priorityOwnerId === undefined ? exact : fragment`r.owner_id = ${priorityOwnerId} desc, ${exact}`;
}
