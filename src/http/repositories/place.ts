import type { Queryable } from '../../database/queryable.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { notFound } from '../../domain/errors.js';
import { accessLevels, rankOf, unitKeys, type UnitKey } from '../../domain/organizations/team-access.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import type { RepositoryViewer } from '../../queries/repositories/access.js';
import {
  findRepository,
  findRepositoryBrief,
  findRepositoryBehind,
  findRepositoryById,
  type RepositoryBrief,
  type RepositoryRow,
} from '../../queries/repositories/repositories.js';
import type { Viewing } from '../actions.js';
import type { Caller } from '../caller.js';
import { couldBeAName, followMoved } from '../find.js';
import { isNarrow, isOutOfReach, refuseNarrowToken } from '../public-only.js';
import { RepositoryMoved } from './moved.js';

/** A repository and the caller's rights in it; ranks are those of `rankOf`, from 0 to 4. */
export interface RepositoryMet<Row extends RepositoryBrief = RepositoryBrief> {
  readonly repository: Row;
  /** The highest rank of the caller. */
  readonly rank: number;
  /** The caller's rank on each unit; 0 for units that are off, except for administrators. */
  readonly units: Readonly<Record<UnitKey, number>>;
}

/** A request for something in a repository. */
export type RepositoryRequest = Viewing & { readonly parent: RepositoryMet };

/** A path that names a repository, and its caller. */
export interface RepositoryPath {
  readonly db: Queryable;
  readonly caller: Caller;
  readonly params: { readonly owner: string; readonly repo: string };
}

/**
 * Finds the repository of a path, with the caller's rights in it. Throws 404 if there is none or the caller may not know
 * of it, and 403 if it is not public and the token is limited to what is public. If the repository or its owner had that
 * name formerly, throws `RepositoryMoved` or `AccountMoved`.
 */
export const repositoryAt = (path: RepositoryPath): Promise<RepositoryMet> =>
  metAt(path, findRepositoryBrief);

/** As `repositoryAt`, with all columns, for routes that need them. */
export const wholeRepositoryAt = (path: RepositoryPath): Promise<RepositoryMet<RepositoryRow>> =>
  metAt(path, findRepository);

async function metAt<Row extends RepositoryBrief>(
  path: RepositoryPath,
  find: (db: Queryable, owner: string, name: string, viewer: RepositoryViewer) => Promise<Row | undefined>,
): Promise<RepositoryMet<Row>> {
  const { db, caller } = path;
  const { owner, repo } = path.params;
  if (!couldBeAName(owner) || !couldBeAName(repo)) throw repositoryAbsent();
  const viewer = viewerOf(caller);
  const found = await find(db, owner, repo, viewer);
  if (found && found.viewer_rank > 0) return met(found, caller);
  // A hidden repository is looked up here too; otherwise a 404's timing would reveal that it exists.
  const behind = await findRepositoryBehind(db, owner, repo, viewer, found?.id);
  if (behind && behind.viewer_rank > 0) {
    if (isNamed(behind, path.params)) return metAt(path, find); // it has come to this name meanwhile
    refuseNarrowToken(visibilityOf(behind), caller);
    throw new RepositoryMoved(behind.owner.name ?? '', behind.name);
  }
  await followMoved(db, owner, caller);
  throw repositoryAbsent();
}

const isNamed = ({ owner, name }: RepositoryRow, path: RepositoryPath['params']) =>
  accountNameKey(owner.name ?? '') === accountNameKey(path.owner) &&
  repositoryNameKey(name) === repositoryNameKey(path.repo);

/** The state of the repository for rules that are checked before anything in it is read; commands check them again. */
export const standingOf = ({ repository }: RepositoryMet) => ({
  isArchived: repository.archived_at !== null,
  mirror: repository.mirror,
});

/** As `wholeRepositoryAt`, by the repository's id. */
export async function repositoryWithId(
  db: Queryable,
  id: number,
  caller: Caller,
): Promise<RepositoryMet<RepositoryRow>> {
  const found = await findRepositoryById(db, id, viewerOf(caller));
  if (!found) throw repositoryAbsent();
  return met(found, caller);
}

/** Makes the 404 for a repository that does not exist or that the caller may not know of. */
export const repositoryAbsent = () => notFound('repository.absent', 'no such repository');

/** Returns the viewer for queries. With a token that is limited to what is public, lists show it less. */
export const viewerOf = (caller: Caller): RepositoryViewer => ({
  id: caller?.accountId ?? null,
  isAdmin: caller?.isAdmin ?? false,
  restricted: caller?.restricted ?? false,
  narrow: isNarrow(caller),
});

function met<Row extends RepositoryBrief>(repository: Row, caller: Caller): RepositoryMet<Row> {
  const rank = repository.viewer_rank;
  if (rank === 0) throw repositoryAbsent();
  refuseNarrowToken(visibilityOf(repository), caller);
  return { repository, rank, units: unitsOf(repository) };
}

/** Tells whether the viewer for whom the row was read sees the repository, with the token that was given. */
export const isSeenBy = (row: Pick<RepositoryBrief, 'viewer_rank'> & Visible, caller: Caller): boolean =>
  row.viewer_rank > 0 && !isOutOfReach(visibilityOf(row), caller);

/** Returns a repository's effective visibility: its owner's, unless the repository itself is private. */
export const visibilityOf = ({ is_private, owner }: Visible) => ({
  visibility: is_private ? 'private' : owner.visibility,
});

interface Visible {
  readonly is_private: boolean;
  readonly owner: { readonly visibility: string };
}

/** Returns the rank on each unit of the viewer for whom the row was read. */
export function unitsOf(row: RepositoryBrief): Record<UnitKey, number> {
  const levelOf = (unit: UnitKey): number => {
    if (row.viewer_rank >= rankOf('admin')) return row.viewer_rank;
    if (!row.units.includes(unit)) return 0;
    const ofTeams = row.viewer_team_units.map((units) =>
      accessLevels.findIndex((level) => level === units[unit]),
    );
    return Math.max(row.viewer_own_rank, ...ofTeams);
  };
  return Object.fromEntries(unitKeys.map((unit) => [unit, levelOf(unit)])) as Record<UnitKey, number>;
}
