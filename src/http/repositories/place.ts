import type { Queryable } from '../../database/database.js';
import { notFound } from '../../domain/errors.js';
import { accessLevels, rankOf, unitKeys, type UnitKey } from '../../domain/organizations/team-access.js';
import type { RepositoryViewer } from '../../queries/repositories/access.js';
import {
  findRepository,
  findRepositoryBrief,
  findRepositoryById,
  findRepositoryMovedFrom,
  type RepositoryBrief,
  type RepositoryRow,
} from '../../queries/repositories/repositories.js';
import type { Viewing } from '../actions.js';
import type { Caller } from '../caller.js';
import { couldBeAName, followMoved } from '../find.js';
import { isNarrow, refuseNarrowToken } from '../public-only.js';
import { RepositoryMoved } from './moved.js';

/** A repository as one caller meets it: ranks are those of `rankOf`, from 0 to 4. */
export interface RepositoryMet<Row extends RepositoryBrief = RepositoryBrief> {
  readonly repository: Row;
  /** The highest level of the caller. */
  readonly rank: number;
  /** On each unit; 0 on units that the repository has not, except for its administrators. */
  readonly units: Readonly<Record<UnitKey, number>>;
}

/** A request to what is in a repository. */
export type RepositoryRequest = Viewing & { readonly parent: RepositoryMet };

/** A path with the names of a repository, and who came by it. */
export interface RepositoryPath {
  readonly db: Queryable;
  readonly caller: Caller;
  readonly params: { readonly owner: string; readonly repo: string };
}

/**
 * The repository that a path names, with what the caller may do in it. One that the caller may not know of is 404 like
 * one that is not there; one that is not public is 403 for tokens that reach only what is. Where the repository or its
 * owner had that name before, the request is sent on to where it is now.
 */
export const repositoryAt = (path: RepositoryPath): Promise<RepositoryMet> =>
  metAt(path, findRepositoryBrief);

/** As `repositoryAt`, with all columns, for routes that show or need them. */
export const wholeRepositoryAt = (path: RepositoryPath): Promise<RepositoryMet<RepositoryRow>> =>
  metAt(path, findRepository);

async function metAt<Row extends RepositoryBrief>(
  { db, caller, params: { owner, repo } }: RepositoryPath,
  find: (db: Queryable, owner: string, name: string, viewer: RepositoryViewer) => Promise<Row | undefined>,
): Promise<RepositoryMet<Row>> {
  if (!couldBeAName(owner) || !couldBeAName(repo)) throw repositoryAbsent();
  const viewer = viewerOf(caller);
  const found = await find(db, owner, repo, viewer);
  if (found && found.viewer_rank > 0) return met(found, caller);
  // What is hidden is looked for where it might have moved as well, or the time of a 404 would tell that it is there.
  const moved = await findRepositoryMovedFrom(db, owner, repo, viewer);
  if (moved && moved.viewer_rank > 0) {
    refuseNarrowToken(visibilityOf(moved), caller);
    throw new RepositoryMoved(moved.owner.name ?? '', moved.name);
  }
  await followMoved(db, owner, caller);
  throw repositoryAbsent();
}

/** What the repository is, for rules that are asked before anything in it is looked up; the command asks them again. */
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

/** 404, where there is no such repository and where the caller may not know of it alike. */
export const repositoryAbsent = () => notFound('repository.absent', 'no such repository');

/** Who looks, for queries; what it sees in lists is less with a token that reaches only what is public. */
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

/** What a repository's visibility comes to: that of its owner, unless it is private itself. */
export const visibilityOf = ({ is_private, owner }: Visible) => ({
  visibility: is_private ? 'private' : owner.visibility,
});

interface Visible {
  readonly is_private: boolean;
  readonly owner: { readonly visibility: string };
}

/** What the viewer of a row may do on each unit. */
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
